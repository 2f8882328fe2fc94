//! The family mldsa for peers: the parts of an operation's name, and the layout of its input.
//!
//! The key is a seed, from which the private and the public key are derived before anything is
//! timed. The input of `keygen` is a seed, and its output the public key; the input of `sign` is a
//! message; that of `verify` a message followed by the signature. `-batch8` has eight of them,
//! concatenated, and eight results.

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verb {
    Keygen,
    Sign,
    Verify,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Name {
    pub set: usize,
    pub verb: Verb,
    /// The key may be expanded beforehand.
    pub ready: bool,
    /// Operations in one call.
    pub batch: usize,
}

impl Name {
    pub fn parse(op: &str) -> Option<Name> {
        let mut words = op.split('-');
        let set = words.next()?.parse().ok()?;
        let verb = match words.next()? {
            "keygen" => Verb::Keygen,
            "sign" => Verb::Sign,
            "verify" => Verb::Verify,
            _ => return None,
        };
        let mut name = Name { set, verb, ready: false, batch: 1 };
        for word in words {
            match word.strip_prefix("batch") {
                Some(n) => name.batch = n.parse().ok()?,
                None if word == "ready" => name.ready = true,
                None => return None,
            }
        }
        Some(name)
    }

    /// As `parse`, for libraries without batches and precomputed keys: `None` for these.
    pub fn plain(op: &str) -> Option<Name> {
        Name::parse(op).filter(|n| !n.ready && n.batch == 1)
    }

    fn lengths(&self) -> (usize, usize, usize) {
        match self.set {
            44 => (1312, 2560, 2420),
            65 => (1952, 4032, 3309),
            _ => (2592, 4896, 4627),
        }
    }

    pub fn public_len(&self) -> usize {
        self.lengths().0
    }

    pub fn private_len(&self) -> usize {
        self.lengths().1
    }

    pub fn sig_len(&self) -> usize {
        self.lengths().2
    }

    /// Message and signature.
    pub fn split<'a>(&self, input: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        let sig = if self.verb == Verb::Verify { self.sig_len() } else { 0 };
        input.split_at(input.len() - sig)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed() {
        let name = Name::parse("65-verify-ready-batch8").unwrap();
        assert_eq!(name, Name { set: 65, verb: Verb::Verify, ready: true, batch: 8 });
        assert_eq!(name.split(&[1; 3311]).0.len(), 2);
        assert_eq!(Name::plain("44-sign").map(|n| n.split(&[1; 9]).0.len()), Some(9));
        assert_eq!(
            (Name::plain("44-sign-ready"), Name::parse("44-sign-fast"), Name::parse("sign")),
            (None, None, None)
        );
    }
}
