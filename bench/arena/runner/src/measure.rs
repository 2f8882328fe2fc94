//! The measurement: every contender runs one batch per round, round after round, so that
//! disturbances by the machine affect all of them alike.

use crate::check::{self, Fault, Point, Ready};
use crate::clock::{ticks, Clock};
use crate::families::{Family, Op, Pick};
use crate::peers::{Contender, Peer, Task};
use crate::results::Row;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// A batch lasts at least this long, so that the time to read the counter is negligible.
const BATCH: Duration = Duration::from_micros(20);
const LEAST_ROUNDS: usize = 11;
/// After this time, or the budget if it is longer, three rounds are enough.
const PATIENCE: Duration = Duration::from_secs(8);
/// The least number of rounds if one round has many messages, each with its own minimum.
const LEAST_ROUNDS_OF_MANY: usize = 5;
/// Messages of this length and longer ones of all contenders do not fit in a cache together: each
/// contender processes its own once more before the clock starts.
const LONG: usize = 1 << 18;
/// A larger ratio of median to minimum shows that the machine was busy.
const NOISY: f64 = 1.15;

#[derive(Default)]
pub struct Done {
    pub rows: Vec<Row>,
    pub faults: Vec<Fault>,
    pub noise: Noise,
}

#[derive(Default)]
pub struct Noise {
    all: usize,
    noisy: usize,
}

pub fn family(
    family: &Family, peers: &[Peer], ops: &[String], clock: &Clock, time: Duration,
) -> Done {
    let contenders: Vec<_> = peers.iter().flat_map(|p| p.contenders(family.peer_name)).collect();
    let wanted = |o: &&Op| ops.is_empty() || ops.iter().any(|n| n == o.name);
    let chosen: Vec<_> = family.ops.iter().filter(|o| o.picked.is_none()).filter(wanted).collect();
    let points: usize = chosen.iter().map(|op| family.sizes_of(op).len()).sum();
    let budget = time / points.max(1) as u32;

    let bar = ProgressBar::new(points as u64);
    bar.set_style(
        ProgressStyle::with_template("{prefix:>6} {bar:36} {pos}/{len} {msg}").expect("a template"),
    );
    bar.set_prefix(family.name);
    if bar.is_hidden() {
        eprintln!(
            "{}: {} contenders, about {} seconds",
            family.name,
            contenders.len(),
            time.as_secs()
        );
    }
    let mut done = Done::default();
    for op in chosen {
        for &size in family.sizes_of(op) {
            bar.set_message(if size == 0 {
                op.title.into()
            } else {
                format!("{}, {size} bytes", op.title)
            });
            point(family, op, size, &contenders, clock, budget, &mut done);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    done
}

fn point(
    family: &Family, op: &Op, size: usize, contenders: &[Contender], clock: &Clock,
    budget: Duration, done: &mut Done,
) {
    let (mut ready, faults) = check::prepare(&Point { family, op, size }, contenders);
    done.faults.extend(faults);
    let samples = sample(&mut ready, op, size, clock, budget);
    for (r, mut samples) in ready.into_iter().zip(samples) {
        let costs: Vec<(f64, f64)> = samples.iter_mut().map(|s| min_and_median(s)).collect();
        let mut push = |op: &Op, pick: Pick| {
            done.rows.push(Row {
                family: family.name.into(),
                op: op.name.into(),
                size,
                tier: r.contender.tier.clone(),
                lib: r.contender.peer.name.clone(),
                version: r.contender.peer.version.clone(),
                cycles_min: picked(pick, costs.iter().map(|c| c.0)),
                cycles_median: picked(pick, costs.iter().map(|c| c.1)),
            });
        };
        push(op, Pick::Mean);
        for (other, pick) in family.ops.iter().filter_map(|o| Some((o, o.picked?))) {
            if pick.0 == op.name {
                push(other, pick.1);
            }
        }
        done.noise.all += 1;
        done.noise.noisy += usize::from(
            picked(Pick::Mean, costs.iter().map(|c| c.1))
                > NOISY * picked(Pick::Mean, costs.iter().map(|c| c.0)),
        );
    }
}

/// Each contender's cost: the minimum over the rounds, or the mean of the minima of its messages.
pub fn race(
    ready: &mut [Ready], op: &Op, size: usize, clock: &Clock, budget: Duration,
) -> Vec<f64> {
    let cost = |mut samples: Vec<Vec<f64>>| {
        picked(Pick::Mean, samples.iter_mut().map(|s| min_and_median(s).0))
    };
    sample(ready, op, size, clock, budget).into_iter().map(cost).collect()
}

/// Cycles of an operation by contender, message and round.
fn sample(
    ready: &mut [Ready], op: &Op, size: usize, clock: &Clock, budget: Duration,
) -> Vec<Vec<Vec<f64>>> {
    let batches: Vec<u64> = ready.iter_mut().map(|r| batch_size(&mut r.tasks[0], clock)).collect();
    let mut samples: Vec<Vec<Vec<f64>>> =
        ready.iter().map(|r| vec![vec![]; r.tasks.len()]).collect();
    let least =
        if op.messages / op.together > LEAST_ROUNDS { LEAST_ROUNDS_OF_MANY } else { LEAST_ROUNDS };
    let start = Instant::now();
    let mut order: Vec<usize> = (0..ready.len()).collect();
    let mut round = 0;
    while !ready.is_empty() && (round < least || start.elapsed() < budget) {
        if round >= 3 && start.elapsed() > PATIENCE.max(budget) {
            break;
        }
        fastrand::shuffle(&mut order); // so that no contender always follows the same one
        for &i in &order {
            let r = &mut ready[i];
            for (task, samples) in r.tasks.iter_mut().zip(&mut samples[i]) {
                task.begin();
                if size >= LONG {
                    task.run(1);
                }
                samples
                    .push(timed(task, batches[i]) as f64 / (batches[i] * r.together as u64) as f64);
            }
        }
        round += 1;
    }
    samples
}

/// The operation's cost from those of its messages, to a tenth of a cycle.
fn picked(pick: Pick, costs: impl Iterator<Item = f64>) -> f64 {
    let mut costs: Vec<f64> = costs.collect();
    costs.sort_by(f64::total_cmp);
    let cost = match pick {
        Pick::Mean => costs.iter().sum::<f64>() / costs.len() as f64,
        Pick::Least => costs[0],
        Pick::Median => costs[(costs.len() - 1) / 2],
    };
    tenth(cost)
}

fn timed(task: &mut Task, iterations: u64) -> u64 {
    let start = ticks();
    task.run(iterations);
    ticks() - start
}

/// How many iterations fill a batch. Measuring it also warms up caches, tables and branch
/// predictors.
fn batch_size(task: &mut Task, clock: &Clock) -> u64 {
    let wanted = clock.ticks_in(BATCH);
    let mut n = 1;
    task.begin();
    loop {
        let took = timed(task, n) as f64;
        if took >= wanted / 2.0 {
            // Once more at about the right length: the first runs are slower than the rest.
            let n = ((wanted / took * n as f64).ceil() as u64).max(1);
            let again = timed(task, n) as f64;
            return ((wanted / again * n as f64).ceil() as u64).max(1);
        }
        n *= 2;
    }
}

fn tenth(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

/// Both to a tenth of a cycle; the median of an even number of samples is the lower one.
fn min_and_median(samples: &mut [f64]) -> (f64, f64) {
    samples.sort_by(f64::total_cmp);
    (tenth(samples[0]), tenth(samples[(samples.len() - 1) / 2]))
}

/// Prints a note if the machine was busy.
pub fn report(noise: &Noise) {
    if noise.noisy * 20 > noise.all {
        println!(
            "note: in {} of {} measurements the median is more than {:.0} % above the minimum: the \
             machine was busy. Minima are the better guide; run again when it is quiet.",
            noise.noisy,
            noise.all,
            (NOISY - 1.0) * 100.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::{min_and_median, picked};
    use crate::families::Pick;

    #[test]
    fn minimum_and_median() {
        assert_eq!(min_and_median(&mut [5.0, 1.04, 3.0]), (1.0, 3.0));
        assert_eq!(min_and_median(&mut [4.0, 2.06, 3.0, 1.0]), (1.0, 2.1));
        assert_eq!(min_and_median(&mut [7.0]), (7.0, 7.0));
    }

    #[test]
    fn one_number_of_many_messages() {
        let costs = [40.0, 10.0, 20.0, 11.0];
        let of = |pick| picked(pick, costs.into_iter());
        assert_eq!((of(Pick::Mean), of(Pick::Least), of(Pick::Median)), (20.3, 10.0, 11.0));
    }
}
