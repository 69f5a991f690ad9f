//! Payloads: exact, distinct, repeatable, and as compressible as they say.

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

const SEEDED: [&str; 5] = ["text", "random", "ratio:0.1", "ratio:0.5", "ratio:1"];

fn payloads(kind: &str, seed: u64) -> Payloads {
    Payloads::new(&kind.parse().unwrap(), seed).unwrap()
}

fn of_file(bytes: &[u8], seed: u64) -> Result<Payloads, PayloadError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    Payloads::new(&PayloadKind::File(file.path().to_owned()), seed)
}

fn made(payloads: &Payloads, id: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0xee; len];
    payloads.fill(id, &mut bytes);
    bytes
}

fn streamed(payloads: &Payloads, id: u64, len: u64, max: usize) -> Vec<u8> {
    let mut stream = payloads.stream(id, len);
    let mut bytes = Vec::new();
    loop {
        let piece = stream.next(max);
        if piece.is_empty() {
            return bytes;
        }
        bytes.extend_from_slice(piece);
    }
}

#[test]
fn every_kind_prints_as_it_is_typed() {
    for kind in ["text", "random", "zero", "ratio:0.5", "ratio:1", "file:some/where.tar"] {
        assert_eq!(kind.parse::<PayloadKind>().unwrap().to_string(), kind);
    }
}

#[test]
fn wrong_kinds_are_refused_with_the_remedy() {
    let error = |text: &str| text.parse::<PayloadKind>().unwrap_err().to_string();
    assert!(error("txt").contains("did you mean \"text\"?"));
    for ratio in ["ratio:0", "ratio:-1", "ratio:1.01", "ratio:nan", "ratio:half", "ratio:"] {
        assert!(error(ratio).contains("above 0 and at most 1"), "{}", error(ratio));
    }
    assert!(error("file:").contains("file:PATH"));
    assert!(Payloads::new(&PayloadKind::Ratio(2.0), 1).is_err());
}

#[test]
fn files_that_cannot_be_stored_are_refused_with_the_remedy() {
    let absent = PayloadKind::File("no/such/file".into());
    let error = Payloads::new(&absent, 1).unwrap_err();
    assert!(matches!(error, PayloadError::Read { .. }));
    assert!(matches!(of_file(b"", 1), Err(PayloadError::Empty(_))));
    let long = vec![1; Payloads::FILE_MAX as usize + 1];
    let error = of_file(&long, 1).unwrap_err().to_string();
    assert!(error.contains("head -c 32M"), "{error}");
    assert!(of_file(&long[1..], 1).is_ok());
}

#[test]
fn successive_payloads_are_distinct_as_far_as_their_size_allows() {
    for kind in SEEDED {
        let payloads = payloads(kind, 5);
        for (len, expected) in [(1, 32), (2, 1024), (3, 5000), (16, 5000), (100, 5000)] {
            let distinct: HashSet<Vec<u8>> =
                (7..7 + expected).map(|id| made(&payloads, id, len)).collect();
            assert_eq!(distinct.len() as u64, expected, "{kind} of {len} bytes");
        }
    }
}

#[test]
fn payloads_differ_in_most_places_and_not_only_in_their_number() {
    for kind in ["text", "random"] {
        let payloads = payloads(kind, 5);
        let (one, two) = (made(&payloads, 1, 10_000), made(&payloads, 2, 10_000));
        let equal = one.iter().zip(&two).filter(|(a, b)| a == b).count();
        assert!(equal < 2000, "{kind}: {equal} of 10000 bytes are equal");
    }
}

#[test]
fn text_is_whole_words_of_lower_case_letters() {
    let bytes = made(&payloads("text", 2), 3, 10_000);
    let text = String::from_utf8(bytes).unwrap();
    let words: Vec<&str> = text.split(' ').collect();
    assert!(words[1..].iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase())));
    // The first is the payload's number, the last may be cut.
    let vocabulary: HashSet<&str> = words[1..words.len() - 1].iter().copied().collect();
    assert!((100..=256).contains(&vocabulary.len()), "{} words", vocabulary.len());
}

#[test]
fn a_ratio_is_what_zstd_level_1_leaves() {
    for ratio in [0.1, 0.25, 0.5, 0.75, 0.9] {
        let payloads = payloads(&format!("ratio:{ratio}"), 9);
        for size in [64 << 10, 1 << 20] {
            let found = compressibility(&payloads, size);
            assert!((found - ratio).abs() < 0.01, "{found} instead of {ratio} at {size}");
        }
        let found = compressibility(&payloads, 1 << 10);
        assert!((found - ratio).abs() < 0.04, "{found} instead of {ratio} at 1k");
    }
}

#[test]
fn a_small_ratio_is_reached_by_longer_segments() {
    let found = compressibility(&payloads("ratio:0.01", 9), 1 << 20);
    assert!((0.008..0.012).contains(&found), "{found}");
}

#[test]
fn text_compresses_zeros_vanish_and_noise_stays() {
    let at = |kind: &str, size: u64| compressibility(&payloads(kind, 4), size);
    assert!((0.15..0.4).contains(&at("text", 1 << 20)));
    assert!((0.15..0.5).contains(&at("text", 10 << 10)));
    assert!(at("zero", 1 << 20) < 0.001);
    assert!(at("random", 1 << 20) >= 1.0);
    assert!(at("ratio:1", 1 << 20) >= 1.0);
    assert_eq!(at("text", 0), 1.0);
}

#[test]
fn a_streamed_payload_compresses_as_a_whole_one() {
    for kind in ["text", "random", "ratio:0.5", "zero"] {
        let payloads = payloads(kind, 4);
        let whole = compressibility(&payloads, 4 << 20);
        let streamed = compressibility(&payloads, 1 << 30);
        assert!((whole - streamed).abs() < 0.02, "{kind}: {whole} and {streamed}");
    }
}

#[test]
fn payloads_of_a_file_are_its_bytes_from_distinct_places() {
    let content: Vec<u8> = (0..=255).collect();
    let payloads = of_file(&content, 3).unwrap();
    let firsts: HashSet<u8> = (0..256).map(|id| made(&payloads, id, 1)[0]).collect();
    assert_eq!(firsts.len(), 256);
    let bytes = made(&payloads, 9, 1000);
    assert!(bytes.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1)));
}

#[test]
fn a_file_of_one_byte_makes_payloads_and_streams() {
    let payloads = of_file(b"x", 3).unwrap();
    assert_eq!(made(&payloads, 9, 5), b"xxxxx");
    let streamed = streamed(&payloads, 1, 3 << 20, usize::MAX);
    assert_eq!(streamed.len(), 3 << 20);
    assert!(streamed.iter().all(|&byte| byte == b'x'));
}

#[test]
fn a_stream_is_the_same_however_it_is_cut() {
    for kind in ["text", "zero", "ratio:0.5"] {
        let payloads = payloads(kind, 8);
        let len = 5 * 1_048_576 + 12_345;
        let whole = streamed(&payloads, 3, len, usize::MAX);
        assert_eq!(whole.len() as u64, len);
        assert!(whole == streamed(&payloads, 3, len, 4097), "{kind}");
        assert!(whole == streamed(&payloads, 3, len, 700_001), "{kind}");
    }
}

#[test]
fn streams_repeat_for_equal_seed_and_number_only() {
    let head = |seed, id| streamed(&payloads("random", seed), id, 3 << 20, usize::MAX);
    let bytes = head(1, 2);
    assert!(bytes == head(1, 2));
    for other in [head(1, 3), head(2, 2)] {
        for start in [0, 1 << 20, 2 << 20] {
            assert!(bytes[start..start + 4096] != other[start..start + 4096]);
        }
    }
}

#[test]
fn successive_streams_begin_differently() {
    let payloads = payloads("text", 8);
    let heads: HashSet<&[u8]> = (0..1000).map(|id| payloads.stream(id, 1 << 30).next(64)).collect();
    assert_eq!(heads.len(), 1000);
}

#[test]
fn a_stream_knows_its_end() {
    let payloads = payloads("zero", 8);
    let mut stream = payloads.stream(1, (1 << 40) + 5);
    assert_eq!((stream.len(), stream.remaining()), ((1 << 40) + 5, (1 << 40) + 5));
    assert_eq!(stream.next(0).len(), 0);
    assert_eq!(stream.next(10).len(), 10);
    assert_eq!(stream.remaining(), (1 << 40) - 5);
    let mut nothing = payloads.stream(1, 0);
    assert!(nothing.is_empty() && nothing.next(10).is_empty());
}

#[test]
fn payloads_above_the_limit_are_streamed() {
    assert!(!Payloads::is_streamed(Payloads::WHOLE_MAX));
    assert!(Payloads::is_streamed(Payloads::WHOLE_MAX + 1));
}

#[test]
fn payloads_are_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Payloads>();
    shared::<PayloadStream<'_>>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_payload_is_a_function_of_kind_seed_number_and_length(
        kind in prop::sample::select(&SEEDED[..]), seed: u64, id: u64, len in 0_usize..5000,
    ) {
        let bytes = made(&payloads(kind, seed), id, len);
        prop_assert_eq!(&bytes, &made(&payloads(kind, seed), id, len));
        if len >= 16 {
            prop_assert_ne!(&bytes, &made(&payloads(kind, seed), id ^ 1, len));
            prop_assert_ne!(&bytes, &made(&payloads(kind, seed ^ 1), id, len));
        }
    }

    #[test]
    fn every_byte_of_the_buffer_is_written(
        kind in prop::sample::select(&SEEDED[..]), seed: u64, id: u64, len in 0_usize..700,
    ) {
        // Whatever was in the buffer before must not show through.
        let payloads = payloads(kind, seed);
        let (mut over_zeros, mut over_ones) = (vec![0; len], vec![0xff; len]);
        payloads.fill(id, &mut over_zeros);
        payloads.fill(id, &mut over_ones);
        prop_assert_eq!(over_zeros, over_ones);
    }
}
