//! The part of DER that SM2 signatures and ciphertexts need. Libraries that use DER get their
//! inputs converted before the clock starts, and their outputs after it stops.

const INTEGER: u8 = 2;
const OCTETS: u8 = 4;
const SEQUENCE: u8 = 0x30;

fn wrap(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    match body.len() {
        n @ 0..128 => out.push(n as u8),
        n @ 128..256 => out.extend([0x81, n as u8]),
        n => out.extend([0x82, (n >> 8) as u8, n as u8]),
    }
    out.extend(body);
    out
}

fn integer(big_endian: &[u8]) -> Vec<u8> {
    let start = big_endian.iter().position(|&b| b != 0).unwrap_or(big_endian.len() - 1);
    let mut body = big_endian[start..].to_vec();
    if body[0] & 0x80 != 0 {
        body.insert(0, 0);
    }
    wrap(INTEGER, &body)
}

/// Splits one value of the given tag off the front of `from`.
fn take<'a>(from: &mut &'a [u8], tag: u8) -> Option<&'a [u8]> {
    let (&[found, short], rest) = from.split_first_chunk::<2>()?;
    let (len, rest) = match short {
        0x81 => (usize::from(*rest.first()?), &rest[1..]),
        0x82 => (usize::from(*rest.first()?) << 8 | usize::from(*rest.get(1)?), &rest[2..]),
        n => (usize::from(n), rest),
    };
    let (body, rest) = rest.split_at_checked(len)?;
    *from = rest;
    (found == tag).then_some(body)
}

fn take_integer(from: &mut &[u8], len: usize) -> Option<Vec<u8>> {
    let body = take(from, INTEGER)?;
    let body = body.strip_prefix(&[0]).unwrap_or(body);
    let mut out = vec![0; len];
    out.get_mut(len.checked_sub(body.len())?..)?.copy_from_slice(body);
    Some(out)
}

/// `r || s`, both of the same length, to `SEQUENCE { r INTEGER, s INTEGER }`.
pub fn from_signature(raw: &[u8]) -> Vec<u8> {
    let (r, s) = raw.split_at(raw.len() / 2);
    wrap(SEQUENCE, &[integer(r), integer(s)].concat())
}

/// The inverse of [`from_signature`], with r and s of `len` bytes each.
pub fn to_signature(der: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut all = der;
    let mut body = take(&mut all, SEQUENCE)?;
    Some([take_integer(&mut body, len)?, take_integer(&mut body, len)?].concat())
}

/// `04 || x || y || C3 || C2` to `SEQUENCE { x INTEGER, y INTEGER, C3 OCTET STRING, C2 OCTET STRING
/// }` (GM/T 0009).
pub fn from_ciphertext(raw: &[u8]) -> Vec<u8> {
    let parts = [
        integer(&raw[1..33]),
        integer(&raw[33..65]),
        wrap(OCTETS, &raw[65..97]),
        wrap(OCTETS, &raw[97..]),
    ];
    wrap(SEQUENCE, &parts.concat())
}

/// The inverse of [`from_ciphertext`].
pub fn to_ciphertext(der: &[u8]) -> Option<Vec<u8>> {
    let mut all = der;
    let mut body = take(&mut all, SEQUENCE)?;
    let (x, y) = (take_integer(&mut body, 32)?, take_integer(&mut body, 32)?);
    let (c3, c2) = (take(&mut body, OCTETS)?, take(&mut body, OCTETS)?);
    Some([&[4], &x[..], &y[..], c3, c2].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_converted_both_ways() {
        let mut raw = [0x80; 64];
        raw[32..34].copy_from_slice(&[0, 0x7f]); // a leading zero to drop, and no sign byte to add
        let der = from_signature(&raw);
        assert_eq!(der[..4], [0x30, 33 + 31 + 4, 2, 33]);
        assert_eq!(to_signature(&der, 32).as_deref(), Some(&raw[..]));
    }

    #[test]
    fn ciphertexts_are_converted_both_ways() {
        let mut raw = vec![4];
        raw.extend(1..=128u8);
        assert_eq!(to_ciphertext(&from_ciphertext(&raw)), Some(raw));
    }

    #[test]
    fn broken_der_is_refused() {
        let der = from_signature(&[9; 64]);
        assert_eq!(to_signature(&der[..der.len() - 1], 32), None);
        assert_eq!(to_ciphertext(&der), None);
    }
}
