// Digit-serial multiplier for the fields of a set: product = a b in the field that is selected.
//
// Ports    load: a and b are taken, and the product before them must be at its last digit or done
//          product: right from the cycle c + 1 after load until the cycle after the next load
// Latency  c + 1 cycles, c = ceil(m/D)     Throughput: a product in c cycles, none lost between two
//
// The accumulator holds an unreduced sum; it is reduced on its way back and on its way out by the
// same wires, so the last reduction of one product is beside the first digit of the next.
module ty_gf2m_mul
  import ty_field_pkg::*;
#(
    parameter int FIELDS = 4,
    parameter int D      = 55,
    parameter int N      = widest(FIELDS)
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [2:0]   field,
    input  logic         load,
    input  logic [N-1:0] a,
    input  logic [N-1:0] b,
    output logic [N-1:0] product
);
  localparam int C = (N + D - 1) / D;      // digits of the longest operand
  localparam int CountBits = $clog2(C + 1);

  logic [N-1:0] a_q, b_q;
  logic [D-1:0] digit_q, digit_next;
  logic [CountBits-1:0] left_q, index, top;
  logic running_q, first_q;
  logic [N+D-1:0] acc_q, sum;
  logic [C*D-1:0] digits;
  logic [N-1:0] reduced[FIELDS_MAX];

  // Digits are numbered from the least significant, and left_q is the number of the present one.
  always_comb begin
    top = '0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((FIELDS >> i) & 1) != 0 && field == 3'(i)) top = CountBits'(product_cycles(i, D) - 1);
    index = load ? top : left_q - 1'b1;
    digits = '0;
    digits[N-1:0] = load ? b : b_q;
    digit_next = '0;
    for (int i = 0; i < C; i++) if (index == CountBits'(i)) digit_next |= digits[i*D+:D];
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
      assign reduced[i] = field == 3'(i) ? N'(y) : '0;
    end else begin : g_none
      assign reduced[i] = '0;
    end
  end
  always_comb begin
    product = '0;
    for (int i = 0; i < FIELDS_MAX; i++) product |= reduced[i];
  end

  ty_gf2m_step #(
      .M(N), .D(D)
  ) step (
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
      if (load) begin
        a_q <= a;
        b_q <= b;
      end
      if (load || running_q) begin
        digit_q <= digit_next;
        left_q  <= index;
        first_q <= load;
      end
      if (running_q) acc_q <= sum;
      running_q <= load || (running_q && left_q != '0);
    end
  end
endmodule
