//! Tongyu compared with the best of the others, for the table and the page.

use crate::families::{Family, Op};
use crate::results::{Row, DEFAULT, OURS};

/// One operation at one size.
pub struct Cell<'a> {
    pub size: usize,
    pub ours: Option<&'a Row>,
    pub best: Option<&'a Row>,
}

impl Cell<'_> {
    /// Our cycles over the best peer's: below 1 we are faster.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.ours?.cycles_min / self.best?.cycles_min)
    }
}

pub fn rows_of<'a>(
    rows: &'a [Row], family: &'static Family, op: &'static Op, size: usize,
) -> impl Iterator<Item = &'a Row> {
    rows.iter().filter(move |r| r.family == family.name && r.op == op.name && r.size == size)
}

/// Our default tier, which programs get, not our fastest one, and the fastest peer, by their
/// minima.
pub fn cell<'a>(
    rows: &'a [Row], family: &'static Family, op: &'static Op, size: usize,
) -> Cell<'a> {
    let all = || rows_of(rows, family, op, size);
    Cell {
        size,
        ours: all().find(|r| r.lib == OURS && r.tier == DEFAULT),
        best: all().filter(|r| r.lib != OURS).min_by(|a, b| a.cycles_min.total_cmp(&b.cycles_min)),
    }
}

/// The operations of a family that were measured, each with a cell per size.
pub fn cells<'a>(rows: &'a [Row], family: &'static Family) -> Vec<(&'static Op, Vec<Cell<'a>>)> {
    let of = |op: &'static Op| {
        family.sizes_of(op).iter().map(|&size| cell(rows, family, op, size)).collect::<Vec<_>>()
    };
    let all = family.ops.iter().map(|op| (op, of(op)));
    all.filter(|(_, cells)| cells.iter().any(|c| c.ours.is_some() || c.best.is_some())).collect()
}

/// The geometric mean of ratios.
pub fn mean(ratios: &[f64]) -> Option<f64> {
    (!ratios.is_empty())
        .then(|| (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp())
}

/// A size as "16", "1K", "1M".
pub fn size_name(size: usize) -> String {
    match size {
        s if s >= 1 << 20 => format!("{}M", s >> 20),
        s if s >= 1 << 10 => format!("{}K", s >> 10),
        s => s.to_string(),
    }
}

/// Three significant digits.
pub fn short(x: f64) -> String {
    match x {
        x if x >= 99.95 => format!("{x:.0}"),
        x if x >= 9.995 => format!("{x:.1}"),
        x => format!("{x:.2}"),
    }
}

/// Cycles per byte of an operation with a size, else cycles, or thousands of them from 1000 on.
pub fn cost(cycles: f64, size: usize) -> String {
    match size {
        0 if cycles < 1000.0 => format!("{} c", short(cycles)),
        0 => format!("{} k", short(cycles / 1000.0)),
        _ => format!("{} c/B", short(cycles / size as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families;
    use crate::results::tests::row;

    #[test]
    fn our_default_is_compared_with_the_best_peer() {
        let rows = [
            row("sm4", "ctr", 16, OURS, "avx2", 29.0),
            row("sm4", "ctr", 16, OURS, DEFAULT, 30.0),
            row("sm4", "ctr", 16, "x", "", 60.0),
            row("sm4", "ctr", 16, "y", "", 80.0),
            row("sm4", "ctr", 64, "y", "", 1.0),
        ];
        let sm4 = families::find("sm4").unwrap();
        let all = cells(&rows, sm4);
        assert_eq!(all.len(), 1);
        let (op, sizes) = &all[0];
        assert_eq!((op.name, sizes[0].ratio(), sizes[1].ratio()), ("ctr", Some(0.5), None));
        assert_eq!(sizes[0].ours.unwrap().who(), "tongyu default");
        assert_eq!(sizes[0].best.unwrap().lib, "x");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.234, 12.34, 123.4, 9.996].map(short), ["1.23", "12.3", "123", "10.0"]);
        assert_eq!([16, 8192, 1 << 20].map(size_name), ["16", "8K", "1M"]);
        assert_eq!((cost(320.0, 16), cost(71_500.0, 0)), ("20.0 c/B".into(), "71.5 k".into()));
        assert_eq!(cost(38.62, 0), "38.6 c");
        assert_eq!(mean(&[0.5, 2.0]).map(short).as_deref(), Some("1.00"));
    }
}
