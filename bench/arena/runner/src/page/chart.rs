//! Curves of cycles per byte over message size, both axes logarithmic, as SVG that follows the
//! page's colours.

use super::colour_of;
use crate::compare;
use crate::families::{Family, Op};
use crate::results::{Row, DEFAULT, OURS};
use plotters::prelude::*;

const WIDTH: u32 = 390;
const HEIGHT: u32 = 235;

/// plotters takes numbers for colours, but the page needs names: the nth name is passed as this
/// number, which is replaced by the name in the text afterwards.
fn token(n: usize) -> RGBColor {
    RGBColor(1, 2, n as u8)
}

struct Palette(Vec<String>);

impl Palette {
    fn token(&mut self, name: &str) -> RGBColor {
        let known = self.0.iter().position(|n| n == name);
        token(known.unwrap_or_else(|| {
            self.0.push(name.into());
            self.0.len() - 1
        }))
    }

    fn names_into(&self, mut svg: String) -> String {
        for (n, name) in self.0.iter().enumerate() {
            svg = svg.replace(&format!("#0102{n:02X}"), name);
        }
        svg
    }
}

struct Curve {
    who: String,
    lib: String,
    points: Vec<(f64, f64)>,
    /// Whether this is Tongyu's default tier.
    is_default: bool,
}

pub fn curves(family: &Family, op: &Op, rows: &[Row]) -> String {
    let mut curves: Vec<Curve> = vec![];
    for r in rows.iter().filter(|r| r.family == family.name && r.op == op.name && r.size > 0) {
        let point = ((r.size as f64).log2(), r.cycles_min / r.size as f64);
        match curves.iter_mut().find(|c| c.who == r.who()) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve {
                who: r.who(),
                lib: r.lib.clone(),
                points: vec![point],
                is_default: false,
            }),
        }
    }
    // Our default is drawn last, over all others.
    let default = format!("{OURS} {DEFAULT}");
    curves.iter_mut().for_each(|c| c.is_default = c.who == default);
    curves.sort_by_key(|c| (c.is_default, c.lib != OURS));
    let mut svg = String::new();
    let mut palette = Palette(vec![]);
    match draw(&mut svg, &mut palette, &curves) {
        Ok(()) => palette
            .names_into(svg)
            .replace("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", op.title)),
        Err(_) => String::new(), // nothing to draw
    }
}

fn draw(
    svg: &mut String, palette: &mut Palette, curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || curves.iter().flat_map(|c| &c.points);
    let least = |f: fn(&(f64, f64)) -> f64| all().map(f).fold(f64::INFINITY, f64::min);
    let most = |f: fn(&(f64, f64)) -> f64| all().map(f).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, low, high) = (least(|p| p.0), most(|p| p.0), least(|p| p.1), most(|p| p.1));
    if left >= right {
        return Err("no curve".into());
    }
    // Whole powers of two, so that both are lines of the grid.
    let (low, high) = (low.log2().floor().exp2(), high.log2().ceil().exp2());
    let muted = palette.token("var(--muted)");
    let grid = palette.token("var(--grid)");
    let text = ("sans-serif", 12).into_font().color(&muted);

    let area = SVGBackend::with_string(svg, (WIDTH, HEIGHT)).into_drawing_area();
    let mut chart = ChartBuilder::on(&area)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(22)
        .y_label_area_size(40)
        .build_cartesian_2d(left..right, (low..high).log_scale().base(2.0))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .axis_style(grid)
        .bold_line_style(grid)
        .light_line_style(TRANSPARENT)
        .label_style(text)
        .x_labels((right - left) as usize / 2 + 1)
        .x_label_formatter(&|x| compare::size_name(x.exp2().round() as usize))
        .y_label_formatter(&|y| if *y < 1.0 { format!("{y:.2}") } else { format!("{y:.0}") })
        .draw()?;
    for curve in curves {
        let colour = palette.token(&colour_of(&curve.lib, curve.is_default));
        let (width, radius) = if curve.is_default { (3, 4) } else { (2, 3) };
        chart.draw_series(LineSeries::new(
            curve.points.iter().copied(),
            colour.stroke_width(width),
        ))?;
        chart.draw_series(curve.points.iter().map(|p| Circle::new(*p, radius, colour.filled())))?;
    }
    area.present()?;
    Ok(())
}
