// Digit-serial multiplier for the fields of a set, and for any M where GENERIC is not 0: product =
// a * b in the field that is selected.
//
// Ports    load: a and b are taken, and the product before them must be at its last digit or done
//          product: valid from cycle c + 1 after load until the cycle after the next load
//          generic: M is given by poly, offset and generic_top, and not by field
//          step: cycles without it only fold, where one fold per digit is not enough for M
// Latency  c + 1 cycles, c = ceil(m/D)     Throughput: a product in c cycles, none lost between two
//
// The accumulator holds an unreduced sum; the same circuit reduces it for the next digit and for
// the output, so that the last reduction of one product is in the cycle of the first digit of the
// next.
// In generic mode elements are aligned at the top, the coefficient of t^(m-1) being bit N - 1, so
// that the digits of b are those of the register except for an offset of less than one digit.
module ty_gf2m_mul
  import ty_field_pkg::*;
#(
    parameter int FIELDS = 4,
    parameter int GENERIC = 0,
    parameter int D      = 55,
    parameter int N      = width(FIELDS, GENERIC, D),
    parameter int TopBits = $clog2((N + D - 1) / D + 1)
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [2:0]   field,
    input  logic         load,
    input  logic [N-1:0] a,
    input  logic [N-1:0] b,
    input  logic         generic,
    input  logic         step,
    input  logic [N-1:0] poly,             // (M - t^m) t^(N-m)
    input  logic [7:0]   offset,           // c D - m
    input  logic [TopBits-1:0] generic_top,    // c - 1
    output logic [N-1:0] product
);
  localparam int C = (N + D - 1) / D;      // digits of the longest operand
  localparam int Only = only_field(FIELDS, GENERIC);

  logic [N-1:0] a_q, b_q, b_next;
  logic [D-1:0] digit_q, digit_next, aligned;
  logic [TopBits-1:0] left_q, index, top;
  logic running_q, first_q;
  logic [N+D-1:0] acc_q, sum;
  logic [FIELDS_MAX*N-1:0] reduced;        // zero for all fields but the one that is selected
  logic [N-1:0] folded;                    // generic mode: the product
  logic [N+D-1:0] resting;                 // the accumulator after a cycle without step

  // Digits are numbered from the least significant, and left_q is the number of the current one.
  function automatic logic [D-1:0] digit_of(input logic [C*D-1:0] all,
      input logic [TopBits-1:0] number);
    digit_of = '0;
    for (int i = 0; i < C; i++) if (number == TopBits'(i)) digit_of |= all[i*D+:D];
  endfunction
  // Which digit of b is the first depends on the field alone: in the cycle of load the choice by
  // left_q is not on the path.
  always_comb begin
    top = generic ? generic_top : '0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && (Only == i || (field == 3'(i) && !generic)))
        top = TopBits'(product_cycles(i, D) - 1);
  end
  assign index = load ? top : left_q - 1'b1;
  assign digit_next = generic ? aligned : load ? digit_of((C * D)'(b), top) :
      digit_of((C * D)'(b_q), left_q - 1'b1);

  // Generic: the next digit is at the top of b, behind the bits left over from the digits before.
  if (GENERIC != 0) begin : g_generic
    logic [D-1:0] over_q, here;
    logic [2*D-1:0] window;
    logic [N+D-1:0] acc_folded;
    assign here = load ? b[N-1-:D] : b_q[N-1-:D];
    assign window = {load ? '0 : over_q, here} >> offset;
    assign aligned = generic ? window[D-1:0] : '0;
    assign b_next = !generic ? b : (load ? b : b_q) << D;
    ty_gf2m_fold #(.N(N), .D(D)) fold (.x(acc_q), .poly(poly), .y(acc_folded));
    assign folded = generic ? acc_folded[N-1:0] : '0;
    assign resting = generic ? acc_folded : acc_q;
    always_ff @(posedge clk) begin
      if (rst) over_q <= '0;
      else if (load || (running_q && step)) over_q <= here;
    end
    logic unused;
    assign unused = ^window[2*D-1:D];
  end else begin : g_named
    assign aligned = '0;
    assign b_next = b;
    assign folded = '0;
    assign resting = acc_q;
    logic unused;
    assign unused = ^{poly, offset, generic, generic_top};
  end

  for (genvar i = 0; i < FIELDS_MAX; i++) begin : g_field
    if (((FIELDS >> i) & 1) != 0) begin : g_built
      localparam int M = field_m(i);
      logic [M-1:0] y;
      ty_gf2m_reduce #(
          .M(M), .K1(field_k1(i)), .K2(field_k2(i)), .K3(field_k3(i)), .W(M + D)
      ) reduce (
          .x(acc_q[M+D-1:0]),
          .y(y)
      );
      assign reduced[i*N+:N] = Only == i || (field == 3'(i) && !generic) ? N'(y) : '0;
    end else begin : g_none
      assign reduced[i*N+:N] = '0;
    end
  end
  function automatic logic [N-1:0] either(input logic [FIELDS_MAX*N-1:0] all);
    either = '0;
    for (int i = 0; i < FIELDS_MAX; i++) either |= all[i*N+:N];
  endfunction
  assign product = folded | either(reduced);

  ty_gf2m_step #(
      .M(N), .D(D)
  ) digit_step (
      .x(first_q ? '0 : product),
      .a(a_q),
      .digit(digit_q),
      .y(sum)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      running_q <= 1'b0;
      first_q   <= 1'b0;
      left_q    <= '0;
      acc_q     <= '0;
      a_q       <= '0;
      b_q       <= '0;
      digit_q   <= '0;
    end else begin
      if (load) a_q <= a;
      if (load || (running_q && step && generic)) b_q <= b_next;
      if (load || (running_q && step)) begin
        digit_q <= digit_next;
        left_q  <= index;
        first_q <= load;
      end
      acc_q <= running_q && step ? sum : resting;
      if (load || step) running_q <= load || (running_q && left_q != '0);
    end
  end
endmodule
