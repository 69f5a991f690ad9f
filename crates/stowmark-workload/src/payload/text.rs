//! Payloads of words, as the published blob benchmark made them, but of exact size.
//!
//! A wheel of words is turned on by one seeded decimal digit after the other, and each turn gives the
//! word that is now in front. So a few words near each other alternate for a while, then others: the
//! text compresses, as text does, but every payload takes its own way round the wheel. (The original
//! took whole turns of 1024 words and so gave about 7 kB where 1 kB was asked for.)
//!
//! Words are kept padded to 16 bytes with their length in the last, so that one is written by one
//! wide store of fixed length; what it writes beyond the word is overwritten by the next. That is
//! what makes text faster than a disk can take it.

use crate::seed::Generator;

/// Bytes of one place on the wheel: up to 15 of the word and the space behind it, then their count.
const PLACE: usize = 16;

/// The letters that a payload's number is written in at its beginning.
const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// Letters that hold all 64 bits of a number.
const NUMBER_LETTERS: usize = 13;

static WHEEL: [[u8; PLACE]; 256] = wheel(WORDS);

/// Fills `buf` with the text that begins with `number` and goes on with the words that the
/// generator's digits turn up.
pub(super) fn fill(number: u64, generator: &mut Generator, buf: &mut [u8]) {
    let mut at = write_number(number, buf);
    let mut place = generator.next() as u8;
    // Eight words at a time while even the longest ones fit, eight digits from each random number.
    while buf.len() - at >= 8 * PLACE {
        for digit in digits(generator.next()) {
            place = place.wrapping_add(digit);
            let word = &WHEEL[place as usize];
            buf[at..at + PLACE].copy_from_slice(word);
            at += word[PLACE - 1] as usize;
        }
    }
    while at < buf.len() {
        for digit in digits(generator.next()) {
            place = place.wrapping_add(digit);
            let word = &WHEEL[place as usize];
            let len = (buf.len() - at).min(word[PLACE - 1] as usize);
            buf[at..at + len].copy_from_slice(&word[..len]);
            at += len;
        }
    }
}

/// Eight decimal digits: each byte scaled down to 0..=9.
fn digits(random: u64) -> [u8; 8] {
    random.to_le_bytes().map(|byte| ((u16::from(byte) * 10) >> 8) as u8)
}

/// Writes the number as the first word, lowest letter first, as far as it fits; returns its end.
fn write_number(number: u64, buf: &mut [u8]) -> usize {
    let len = buf.len().min(NUMBER_LETTERS);
    for (position, letter) in buf[..len].iter_mut().enumerate() {
        *letter = LETTERS[(number >> (5 * position) & 31) as usize];
    }
    match buf.get_mut(NUMBER_LETTERS) {
        Some(space) => {
            *space = b' ';
            NUMBER_LETTERS + 1
        }
        None => len,
    }
}

/// Lays out the words, which must be 256 of at most 14 letters, each followed by one space.
const fn wheel(words: &str) -> [[u8; PLACE]; 256] {
    let bytes = words.as_bytes();
    let mut wheel = [[0; PLACE]; 256];
    let (mut at, mut place, mut len) = (0, 0, 0);
    while at < bytes.len() {
        wheel[place][len] = bytes[at];
        len += 1;
        if bytes[at] == b' ' {
            assert!(len > 1 && len < PLACE, "a word is of 1 to 14 letters");
            wheel[place][PLACE - 1] = len as u8;
            place += 1;
            len = 0;
        }
        at += 1;
    }
    assert!(place == wheel.len() && len == 0, "the wheel has 256 words");
    wheel
}

/// The words, in the order of the wheel.
const WORDS: &str = concat!(
    "a harbour at first light keeps the slow account of what came in by night and what ",
    "the tide will carry out again before noon every barrel has its mark in chalk and ",
    "number on the ledger so that no keeper can mistake one load for another however ",
    "alike they look grain and wool stand under canvas near salt fish copper wire oak ",
    "planks rope resin and paper which must never get wet someone weighs each crate ",
    "twice once empty then full because trust is good but scales were made to settle ",
    "quarrels between honest people when rain falls the clerks move inside where lamps ",
    "burn low while they copy figures from loose sheets into bound volumes of heavy ",
    "cream stock old captains tell how a single careless knot sank three ships or why ",
    "northern wood floats better than southern timber after long winters children run ",
    "along stone quays chasing gulls past stacked boxes coils chains anchors and broken ",
    "masts waiting for repair merchants from distant cities argue about prices weather ",
    "politics music bread and whose horses pulled more bricks uphill during last summer ",
    "it takes patience to store things well since whatever goes below deck early comes ",
    "up late unless somebody planned order ahead tall cranes swing over narrow barges as ",
    "evening settles grey mist covers every roof and only two lanterns mark where sea ",
    "ends or quiet streets begin measure then measure again says a sign above that door ",
    "yet few visitors read it most hurry toward warm kitchens hot soup fresh apples ",
    "sweet ",
);
