//! The table at the end of a run.

use crate::compare::{self, Cell};
use crate::families::Family;
use crate::results::Row;
use comfy_table::{presets, Cell as Field, CellAlignment, Color, Table};

pub fn print(family: &'static Family, rows: &[Row]) {
    let measured = compare::cells(rows, family);
    if measured.is_empty() {
        return;
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    let sized = family.sizes != [0];
    if sized {
        println!(
            "\n{}: our cycles / the best peer's, below 1 we are faster; beneath, ours and theirs \
             in c/B",
            family.title
        );
        let sizes = family.sizes.iter().map(|&s| right(compare::size_name(s)));
        table.set_header([Field::new("")].into_iter().chain(sizes));
    } else {
        println!(
            "\n{}: our cycles / the best peer's, below 1 we are faster; costs in cycles (c) or \
             thousands of them (k)",
            family.title
        );
        table.set_header(["", "ratio", "ours", "", "best peer", ""].map(Field::new));
    }
    for (op, cells) in &measured {
        let name = Field::new(op.title);
        if sized && cells.len() > 1 {
            table.add_row([name].into_iter().chain(cells.iter().map(|c| {
                let per_byte = |r: Option<&Row>| {
                    r.map_or("–".into(), |r| compare::short(r.cycles_min / c.size as f64))
                };
                right(format!("{}\n{} / {}", ratio(c), per_byte(c.ours), per_byte(c.best)))
                    .fg(colour(c))
            })));
        } else {
            let c = &cells[0];
            let cost = |r: Option<&Row>| {
                right(r.map_or("–".into(), |r| compare::cost(r.cycles_min, c.size)))
            };
            let who = |r: Option<&Row>| Field::new(r.map_or(String::new(), Row::who));
            table.add_row([
                name,
                right(ratio(c)).fg(colour(c)),
                cost(c.ours),
                who(c.ours),
                cost(c.best),
                who(c.best),
            ]);
        }
    }
    println!("{table}");
}

fn right(text: String) -> Field {
    Field::new(text).set_alignment(CellAlignment::Right)
}

fn ratio(cell: &Cell) -> String {
    cell.ratio().map_or("–".into(), compare::short)
}

fn colour(cell: &Cell) -> Color {
    match cell.ratio() {
        None => Color::Reset,
        Some(r) if r < 0.98 => Color::Green,
        Some(r) if r <= 1.02 => Color::Yellow,
        Some(_) => Color::Red,
    }
}
