//! Before anything is timed, the contenders must agree: no library wins by computing something
//! else.

use crate::families::{self, Family, Inputs, Op, Proof};
use crate::peers::{Contender, Task};
use crate::results::OURS;
use std::fmt;

/// A failed check of a contender, which is then not timed.
pub struct Fault {
    pub lib: String,
    text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A contender that has passed the checks of an operation.
pub struct Ready<'a> {
    pub contender: Contender<'a>,
    /// One for each message, or for each `together` messages.
    pub tasks: Vec<Task>,
    pub together: usize,
    output: Vec<u8>,
}

pub struct Point<'a> {
    pub family: &'a Family,
    pub op: &'a Op,
    pub size: usize,
}

impl Point<'_> {
    fn fault(&self, contender: &Contender, what: &str) -> Fault {
        let Point { family, op, size } = self;
        let at = if *size == 0 { String::new() } else { format!(", {size} bytes") };
        Fault {
            lib: contender.peer.name.clone(),
            text: format!("{contender}: {} {}{at}: {what}", family.name, op.name),
        }
    }
}

/// Prepares the operation in every contender that has it, and keeps those that are right.
pub fn prepare<'a>(point: &Point, contenders: &[Contender<'a>]) -> (Vec<Ready<'a>>, Vec<Fault>) {
    let Some(inputs) = inputs(point, contenders) else { return (vec![], vec![]) };
    prepare_with(point, contenders, &inputs)
}

/// As [`prepare`], on the given inputs
fn prepare_with<'a>(
    point: &Point, contenders: &[Contender<'a>], inputs: &[Inputs],
) -> (Vec<Ready<'a>>, Vec<Fault>) {
    let mut faults = vec![];
    let mut ready = vec![];
    for contender in contenders {
        let Some((mut tasks, together)) = tasks(point, point.op, contender, inputs) else {
            continue;
        };
        match all_once(&mut tasks) {
            None => faults.push(point.fault(contender, "fails")),
            Some(_) if tasks.iter_mut().any(|t| !t.run(2)) => {
                faults.push(point.fault(contender, "fails when it is repeated"))
            }
            Some(_) if !refuses_forgery(point, contender, inputs) => {
                faults.push(point.fault(contender, "accepts a forgery"))
            }
            Some(output) => {
                ready.push(Ready { contender: contender.clone(), tasks, together, output })
            }
        }
    }
    let right = judge(point, contenders, inputs, &ready);
    let mut verdicts = right.into_iter();
    ready.retain(|r| {
        let fine = verdicts.next().unwrap_or(false);
        if !fine {
            faults.push(point.fault(&r.contender, "disagrees with the others"));
        }
        fine
    });
    (ready, faults)
}

/// Tasks for the operation on all inputs, `op.together` at a time, or for `op.or` where the
/// contender does not have the operation; and the number of inputs per task. A key or an IV that
/// all inputs of a task share is passed once, others are concatenated like the messages.
fn tasks(
    point: &Point, op: &Op, contender: &Contender, inputs: &[Inputs],
) -> Option<(Vec<Task>, usize)> {
    let joined = |few: &[Inputs]| {
        let all = |part: fn(&Inputs) -> &[u8]| {
            let same = few.iter().all(|i| part(i) == part(&few[0]));
            if same {
                part(&few[0]).to_vec()
            } else {
                few.iter().flat_map(part).copied().collect()
            }
        };
        let input = few.iter().flat_map(|i| i.input.iter().copied()).collect();
        let (key, public, iv) = (all(|i| &i.key), all(|i| &i.public), all(|i| &i.iv));
        Inputs { key, public, iv, aad: few[0].aad.clone(), input }
    };
    let prepare = |few| contender.prepare(point.family.peer_name, op.peer_name(), &joined(few));
    let own: Option<Vec<Task>> = inputs.chunks(op.together).map(prepare).collect();
    match own {
        Some(tasks) => Some((tasks, op.together.min(inputs.len()))),
        None => tasks(point, point.family.op(op.or?)?, contender, inputs),
    }
}

/// The concatenated outputs of one run of each task; None if one failed.
fn all_once(tasks: &mut [Task]) -> Option<Vec<u8>> {
    let outputs: Option<Vec<_>> = tasks.iter_mut().map(Task::once).collect();
    outputs.map(|o| o.concat())
}

/// The inputs; where the operation undoes or checks another one, with the output of that one.
fn inputs(point: &Point, contenders: &[Contender]) -> Option<Vec<Inputs>> {
    let count = point.op.messages;
    let input = |i| families::inputs(point.family.peer_name, point.op.name, point.size, i);
    let mut inputs: Vec<Inputs> = (0..count).map(input).collect();
    if let Some(from) = point.op.from {
        let op = &Op { messages: count, ..*point.family.op(from)? };
        let (ready, _) = prepare_with(&Point { op, ..*point }, contenders, &inputs);
        let others = ready.iter().find(|r| r.contender.peer.name != OURS);
        let made = &others.or(ready.first())?.output;
        for (inputs, made) in inputs.iter_mut().zip(made.chunks(made.len() / count)) {
            match point.op.proof {
                Proof::Accepts => inputs.input.extend(made), // digest || signature
                _ => inputs.input = made.to_vec(),
            }
        }
    }
    Some(inputs)
}

/// Whether the contender refuses a wrong bit in the last tag or signature.
fn refuses_forgery(point: &Point, contender: &Contender, inputs: &[Inputs]) -> bool {
    if !matches!(point.op.proof, Proof::SameOrRefuse | Proof::Accepts) {
        return true;
    }
    let mut forged = inputs.to_vec();
    if let Some(last) = forged.last_mut().and_then(|f| f.input.last_mut()) {
        *last ^= 1;
    }
    let tasks = tasks(point, point.op, contender, &forged);
    tasks.is_none_or(|(mut tasks, _)| all_once(&mut tasks).is_none())
}

/// Whether each output is right, by the operation's proof.
fn judge(point: &Point, contenders: &[Contender], all: &[Inputs], ready: &[Ready]) -> Vec<bool> {
    let family = point.family.peer_name;
    let inputs = &all[0];
    // Whether at least half of those who can undo or check an output accept it.
    let half_accept = |op: &str, inputs: Inputs, good: &dyn Fn(Option<Vec<u8>>) -> bool| {
        let able =
            contenders.iter().filter_map(|c| Some(good(c.prepare(family, op, &inputs)?.once())));
        let votes: Vec<bool> = able.collect();
        votes.iter().filter(|v| **v).count() * 2 >= votes.len()
    };
    let verified = |digest: &[u8], sig: &[u8], public: &[u8]| {
        let inputs =
            Inputs { input: [digest, sig].concat(), public: public.to_vec(), ..inputs.clone() };
        let verify = if point.op.name.contains("-msg") { "verify-msg" } else { "verify" };
        half_accept(&point.op.sibling(verify), inputs, &|answer| answer.is_some())
    };
    match point.op.proof {
        Proof::Accepts => vec![true; ready.len()],
        Proof::Same | Proof::SameOrRefuse => {
            let outputs: Vec<_> = ready
                .iter()
                .map(|r| (r.contender.peer.name.as_str(), r.output.as_slice()))
                .collect();
            agreeing(&outputs)
        }
        Proof::Signs => {
            let fits = |i: &Inputs, sig: &[u8]| verified(&i.input, sig, &i.public);
            ready.iter().map(|r| each(all, &r.output, fits)).collect()
        }
        Proof::Encrypts => {
            let opens = |i: &Inputs, text: &[u8]| {
                let inputs = Inputs { input: text.to_vec(), ..i.clone() };
                half_accept("decrypt-32", inputs, &|answer| answer.as_deref() == Some(&i.input[..]))
            };
            ready.iter().map(|r| each(all, &r.output, opens)).collect()
        }
        Proof::Pairs => {
            let fits = |_: &Inputs, made: &[u8]| {
                let Some((d, public)) = made.split_at_checked(32) else { return false };
                let pair = Inputs { key: d.to_vec(), public: public.to_vec(), ..inputs.clone() };
                // Signed by another library than Tongyu, if there is one that signs.
                let mut signers: Vec<_> =
                    contenders.iter().filter(|c| c.peer.name != OURS).collect();
                signers.extend(contenders.iter().filter(|c| c.peer.name == OURS));
                let sig = signers.iter().find_map(|c| c.prepare(family, "sign", &pair)?.once());
                sig.is_some_and(|sig| verified(&pair.input, &sig, public))
            };
            ready.iter().map(|r| each(all, &r.output, fits)).collect()
        }
    }
}

/// Whether the outputs for all inputs, which are concatenated and have the same length, are right.
fn each(all: &[Inputs], output: &[u8], right: impl Fn(&Inputs, &[u8]) -> bool) -> bool {
    let outputs = output.chunks((output.len() / all.len()).max(1));
    all.len() == outputs.len() && all.iter().zip(outputs).all(|(i, output)| right(i, output))
}

/// Which outputs are those of the majority: a library has one vote however many tiers it has, and a
/// tie goes against Tongyu.
fn agreeing(outputs: &[(&str, &[u8])]) -> Vec<bool> {
    let weight = |bytes: &[u8]| {
        let mut libs: Vec<&str> =
            outputs.iter().filter(|(_, b)| *b == bytes).map(|(lib, _)| *lib).collect();
        libs.dedup();
        (libs.len(), !libs.contains(&OURS))
    };
    let right = outputs.iter().map(|(_, bytes)| *bytes).max_by_key(|bytes| weight(bytes));
    outputs.iter().map(|(_, bytes)| Some(*bytes) == right).collect()
}

#[cfg(test)]
mod tests {
    use super::{agreeing, each, families};

    #[test]
    fn each_message_has_its_output() {
        let all = [0, 1].map(|i| families::inputs("sm3", "hash", 2, i));
        let same = |i: &families::Inputs, output: &[u8]| i.input == output;
        let [a, b] = [&all[0].input[..], &all[1].input[..]];
        assert!(each(&all, &[a, b].concat(), same));
        assert!(!each(&all, &[a, a].concat(), same) && !each(&all, &[b, a].concat(), same));
        assert!(!each(&all, a, same) && !each(&all, &[a, b, &[0]].concat(), same));
        assert!(!each(&all, &[], |_, _| true));
    }

    #[test]
    fn most_libraries_are_right() {
        let outputs: [(&str, &[u8]); 4] =
            [("tongyu", b"a"), ("tongyu", b"a"), ("x", b"b"), ("y", b"b")];
        assert_eq!(agreeing(&outputs), [false, false, true, true]);
    }

    #[test]
    fn a_tie_goes_against_tongyu() {
        assert_eq!(agreeing(&[("tongyu", b"a"), ("x", b"b")]), [false, true]);
        assert_eq!(agreeing(&[("x", b"b"), ("tongyu", b"a")]), [true, false]);
    }

    #[test]
    fn one_tier_may_be_wrong() {
        assert_eq!(
            agreeing(&[("tongyu", b"b"), ("tongyu", b"a"), ("x", b"b")]),
            [true, false, true]
        );
        assert_eq!(agreeing(&[]), Vec::<bool>::new());
    }
}
