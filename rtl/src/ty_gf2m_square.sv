// Repeated squarer for the fields of a set: result = value^(2^count).
//
// Ports    load: value and count are taken     result: valid from done until the next load
//          done: the squarings of this cycle are the last     zero: result is 0, which squaring
//          does not change
// Latency  1 cycle for count 0 and 1, else ceil(count/PER_CYCLE)     Throughput: the same
//
// The sum of two operands is formed in front of `value`, so that an addition before a squaring
// takes no cycle.
module ty_gf2m_square
  import ty_field_pkg::*;
#(
    parameter int FIELDS    = 4,
    parameter int PER_CYCLE = 1,
    parameter int N         = widest(FIELDS)
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [2:0]   field,
    input  logic         load,
    input  logic [N-1:0] value,
    input  logic [7:0]   count,
    output logic [N-1:0] result,
    output logic         zero,
    output logic         done
);
  localparam int Only = only_field(FIELDS, 0);

  logic [N-1:0] value_q, once, twice;
  logic none_q, done_q;                // count was 0; at most one cycle is left
  logic [7:0] count_q;
  logic [FIELDS_MAX*N-1:0] square1, square2;    // zero for all fields but the one that is selected

  for (genvar i = 0; i < FIELDS_MAX; i++) begin : g_field
    if (((FIELDS >> i) & 1) != 0) begin : g_built
      localparam int M = field_m(i);
      logic [M-1:0] y1;
      ty_gf2m_sqr #(
          .M(M), .K1(field_k1(i)), .K2(field_k2(i)), .K3(field_k3(i))
      ) first (
          .x(value_q[M-1:0]),
          .y(y1)
      );
      assign square1[i*N+:N] = Only == i || field == 3'(i) ? N'(y1) : '0;
      if (PER_CYCLE == 2) begin : g_two
        logic [M-1:0] y2;
        ty_gf2m_sqr #(
            .M(M), .K1(field_k1(i)), .K2(field_k2(i)), .K3(field_k3(i))
        ) second (
            .x(y1),
            .y(y2)
        );
        assign square2[i*N+:N] = Only == i || field == 3'(i) ? N'(y2) : '0;
      end else begin : g_one
        assign square2[i*N+:N] = '0;
      end
    end else begin : g_none
      assign square1[i*N+:N] = '0;
      assign square2[i*N+:N] = '0;
    end
  end

  if (FIELDS == 0 || Only >= 0) begin : g_one_or_none
    logic unused;
    assign unused = ^field;
  end

  function automatic logic [N-1:0] either(input logic [FIELDS_MAX*N-1:0] all);
    either = '0;
    for (int i = 0; i < FIELDS_MAX; i++) either |= all[i*N+:N];
  endfunction
  assign once = either(square1);
  assign twice = either(square2);

  assign done = done_q;
  assign zero = value_q == '0;
  assign result = none_q ? value_q : PER_CYCLE == 2 && count_q != 8'd1 ? twice : once;

  always_ff @(posedge clk) begin
    if (rst) begin
      value_q <= '0;
      count_q <= '0;
      none_q <= 1'b1;
      done_q <= 1'b1;
    end else if (load) begin
      value_q <= value;
      count_q <= count;
      none_q <= count == '0;
      done_q <= count <= 8'(PER_CYCLE);
    end else if (!done) begin
      value_q <= result;
      count_q <= count_q - 8'(PER_CYCLE);
      done_q <= count_q <= 8'(2 * PER_CYCLE);
    end
  end
endmodule
