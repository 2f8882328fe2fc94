//! Two builds of Tongyu in one process: each operation at each tier that both have, batch by batch
//! in turn. The new build is loaded twice, and its difference from itself is shown next to its
//! difference from the old one.

use crate::check::{self, Point, Ready};
use crate::clock::Clock;
use crate::families::{Family, Op};
use crate::measure;
use crate::peers::{self, Contender, Peer};
use anyhow::{bail, Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

const SIDES: [&str; 3] = ["old", "new", "again"];
/// Messages of this length and longer ones are bulk: the cost of the call itself is negligible.
const BULK: usize = 1024;

pub struct Question<'a> {
    pub old: &'a Path,
    pub new: &'a Path,
    /// The peer's shared object, which is loaded once for each side
    pub peer: &'a Path,
    /// Where copies of it and of the libraries are put
    pub room: &'a Path,
    pub families: &'a [&'static Family],
    pub ops: &'a [String],
    pub runs: usize,
    pub seconds: u64,
}

/// Family, operation and tier by their positions in the lists, and the size, third.
type Place = (usize, usize, usize, usize);

struct Row {
    name: String,
    bulk: bool,
    /// Cycles of old, new and again in each run
    runs: Vec<[f64; 3]>,
}

impl Row {
    fn ratio(&self, a: usize, b: usize) -> f64 {
        median(self.runs.iter().map(|r| r[a] / r[b]).collect())
    }

    fn limit(&self) -> f64 {
        if self.bulk {
            1.01
        } else {
            1.02
        }
    }

    /// Half the range of the ratios of the build with itself, without the upper and lower tenths
    fn scatter(&self) -> f64 {
        let mut all: Vec<f64> = self.runs.iter().map(|r| r[2] / r[1]).collect();
        all.sort_by(f64::total_cmp);
        let cut = all.len() / 10;
        (all[all.len() - 1 - cut] - all[cut]) / 2.0
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    (all[(all.len() - 1) / 2] + all[all.len() / 2]) / 2.0
}

/// Prints every row; an error if the new build is slower than is allowed.
pub fn run(question: &Question) -> Result<()> {
    let peers = load(question)?;
    let clock = Clock::start()?;
    let mut rows = BTreeMap::new();
    for run in 1..=question.runs {
        eprintln!("run {run} of {}", question.runs);
        for (number, family) in question.families.iter().enumerate() {
            measure_family(question, number, family, &peers, &clock, &mut rows)?;
        }
    }
    report(&rows)
}

/// A copy of the peer and of the library for each side, because a file that is already loaded is
/// not loaded again, whereas a copy has its own variables.
fn load(question: &Question) -> Result<Vec<Peer>> {
    std::fs::create_dir_all(question.room)?;
    let libraries = [question.old, question.new, question.new];
    let mut loaded = vec![];
    for (side, library) in SIDES.iter().zip(libraries) {
        let copy = |from: &Path, to: String| {
            let to = question.room.join(to);
            let _ = std::fs::remove_file(&to); // another run may have it mapped
            std::fs::copy(from, &to).with_context(|| from.display().to_string())?;
            std::fs::canonicalize(&to).with_context(|| to.display().to_string())
        };
        let library = copy(library, format!("libtongyu-{side}.so"))?;
        let peer = copy(question.peer, format!("peer-{side}.so"))?;
        // The peer reads the variable when it is asked for its version, before the next peer is
        // loaded. There is no other thread, so setting it is safe.
        unsafe { std::env::set_var("TONGYU_LIB", &library) };
        let mut peer = peers::load(&peer)?;
        if peer.version == "?" {
            bail!("{} does not load", library.display());
        }
        peer.name = (*side).into();
        loaded.push(peer);
    }
    Ok(loaded)
}

fn measure_family(
    question: &Question, number: usize, family: &'static Family, peers: &[Peer], clock: &Clock,
    rows: &mut BTreeMap<Place, Row>,
) -> Result<()> {
    let of = |side: usize| peers[side].contenders(family.peer_name);
    let old = of(0);
    let tiers: Vec<String> =
        of(1).into_iter().map(|c| c.tier).filter(|t| old.iter().any(|o| o.tier == *t)).collect();
    let contenders: Vec<Contender> = tiers
        .iter()
        .flat_map(|tier| peers.iter().map(|peer| Contender { peer, tier: tier.clone() }))
        .collect();
    let wanted = |o: &&Op| {
        o.picked.is_none() && (question.ops.is_empty() || question.ops.iter().any(|n| n == o.name))
    };
    let chosen: Vec<&Op> = family.ops.iter().filter(wanted).collect();
    let points: usize = chosen.iter().map(|op| family.sizes_of(op).len()).sum();
    let budget = Duration::from_secs(question.seconds) / points.max(1) as u32;
    for op in chosen {
        for &size in family.sizes_of(op) {
            let (mut ready, faults) = check::prepare(&Point { family, op, size }, &contenders);
            if let Some(fault) = faults.first() {
                bail!("{fault}");
            }
            let costs = measure::race(&mut ready, op, size, clock, budget);
            for (at, tier) in tiers.iter().enumerate() {
                let Some(cycles) = of_tier(&ready, &costs, tier) else { continue };
                let name = format!("{} {} {size} {tier}", family.name, op.name);
                let row = rows.entry((number, family.rank(op.name), size, at)).or_insert(Row {
                    name,
                    bulk: size >= BULK,
                    runs: vec![],
                });
                row.runs.push(cycles);
            }
        }
    }
    Ok(())
}

/// The minima of the three sides at a tier, if all of them have it
fn of_tier(ready: &[Ready], costs: &[f64], tier: &str) -> Option<[f64; 3]> {
    let cost = |side: &str| {
        let here = |r: &Ready| r.contender.peer.name == side && r.contender.tier == tier;
        Some(costs[ready.iter().position(here)?])
    };
    Some([cost(SIDES[0])?, cost(SIDES[1])?, cost(SIDES[2])?])
}

fn report(rows: &BTreeMap<Place, Row>) -> Result<()> {
    println!("family op size tier: cycles of old and new; new/old, again/new, scatter");
    for row in rows.values() {
        let cycles = |side: usize| median(row.runs.iter().map(|r| r[side]).collect());
        println!(
            "{:44} {:12.0} {:12.0} {:7.3} {:7.3} {:6.3}",
            row.name,
            cycles(0),
            cycles(1),
            row.ratio(1, 0),
            row.ratio(2, 1),
            row.scatter()
        );
    }
    let all = |a, b| median(rows.values().map(|r| r.ratio(a, b)).collect());
    if rows.is_empty() {
        bail!("the two libraries have no operation in common");
    }
    println!("{} rows; median new/old {:.3}, again/new {:.3}", rows.len(), all(1, 0), all(2, 1));
    let over = |a, b| rows.values().filter(move |r| r.ratio(a, b) > r.limit()).count();
    println!(
        "over 1.01 in bulk, 1.02 otherwise: {} of new/old, {} of again/new",
        over(1, 0),
        over(2, 1)
    );
    let slower: Vec<&Row> =
        rows.values().filter(|r| r.ratio(1, 0) > r.limit() + r.scatter()).collect();
    for row in &slower {
        println!(
            "SLOWER {:44} {:7.3}, allowed with scatter: {:.3}",
            row.name,
            row.ratio(1, 0),
            row.limit() + row.scatter()
        );
    }
    if !slower.is_empty() {
        bail!("{} of {} rows are slower", slower.len(), rows.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{median, report, Row};
    use std::collections::BTreeMap;

    fn rows(new: f64) -> BTreeMap<(usize, usize, usize, usize), Row> {
        let runs = (0..10).map(|i| [100.0, new, new * (1.0 + 0.0005 * i as f64)]).collect();
        let row = Row { name: "sm4 ctr 8192 avx2".into(), bulk: true, runs };
        BTreeMap::from([((0, 0, 8192, 0), row)])
    }

    #[test]
    fn middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn slower_is_refused_and_scatter_is_not() {
        assert!(report(&rows(100.9)).is_ok());
        assert!(report(&rows(101.1)).is_ok()); // within the scatter
        assert!(report(&rows(102.0)).is_err());
        assert!(report(&BTreeMap::new()).is_err());
    }
}
