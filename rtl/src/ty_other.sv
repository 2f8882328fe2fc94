// The optional units: the divider, and generic mode's squarer. One works at a time.
//
// Ports    divide, square: value is taken, to be inverted or raised to 2^count
//          result: valid when divided and squared are high, until the next operation
//          divides: there is a divider for this mode
// Latency  see ty_gf2m_inverse and ty_gf2m_gsquare
module ty_other
  import ty_field_pkg::*;
#(
    parameter int FIELDS          = 4,
    parameter int GENERIC         = 0,
    parameter int GENERIC_SQUARER = 0,
    parameter int DIVIDER         = 0,
    parameter int D               = 55,
    parameter int N               = width(FIELDS, GENERIC, D),
    parameter int TopBits         = $clog2((N + D - 1) / D + 1)
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [2:0]         field,
    input  logic               generic,
    input  logic [7:0]         degree,
    input  logic [N-1:0]       poly,
    input  logic [N-1:0]       low,
    input  logic [7:0]         offset,
    input  logic [TopBits-1:0] top,
    input  logic               step,
    input  logic               divide,
    input  logic               square,
    input  logic [N-1:0]       value,
    input  logic [7:0]         count,
    output logic               divides,
    output logic [N-1:0]       result,
    output logic               divided,
    output logic               squared
);
  logic [N-1:0] inverse, power;
  logic inverts_q;
  logic unused;
  assign unused = ^value;              // unused in a build with neither
  assign divides = DIVIDER == 2 || (DIVIDER == 1 && generic);
  assign result = inverts_q ? inverse : power;
  always_ff @(posedge clk) begin
    if (rst) inverts_q <= 1'b0;
    else if (divide || square) inverts_q <= divide;
  end

  if (DIVIDER != 0) begin : g_divider
    // A named field's elements are aligned on their way in and out.
    logic [N-1:0] upper, upper_poly, upper_low, upper_result;
    logic [7:0] m;
    function automatic logic [N-1:0] poly_of(input int i);
      poly_of = N'(1) << (N - field_m(i)) | N'(1) << (N - field_m(i) + field_k1(i));
      if (field_k2(i) != 0)
        poly_of |= N'(1) << (N - field_m(i) + field_k2(i)) | N'(1) << (N - field_m(i) +
            field_k3(i));
    endfunction
    always_comb begin
      upper = generic ? value : '0;
      upper_poly = poly;
      upper_low = low;
      m = degree;
      inverse = generic ? upper_result : '0;
      for (int i = 0; i < FIELDS_MAX; i++)
        if (DIVIDER == 2 && ((FIELDS >> i) & 1) != 0 && field == 3'(i) && !generic) begin
          upper = value << (N - field_m(i));
          upper_low = N'(1) << (N - field_m(i));
          upper_poly = poly_of(i);
          m = 8'(field_m(i));
          inverse = upper_result >> (N - field_m(i));
        end
    end
    ty_gf2m_inverse #(.N(N)) divider (
        .clk(clk), .rst(rst), .load(divide), .value(upper), .poly(upper_poly), .low(upper_low),
        .m(m), .result(upper_result), .done(divided)
    );
  end else begin : g_no_divider
    assign inverse = '0;
    assign divided = 1'b1;
    logic unused_too;
    assign unused_too = ^{field, degree, low, divide, generic};
  end

  if (GENERIC_SQUARER != 0) begin : g_squarer
    ty_gf2m_gsquare #(.D(D), .N(N), .TopBits(TopBits)) squarer (
        .clk(clk), .rst(rst), .load(square), .step(step), .value(value), .count(count), .poly(poly),
        .offset(offset), .top(top), .result(power), .done(squared)
    );
  end else begin : g_no_squarer
    assign power = '0;
    assign squared = 1'b1;
    logic unused_too;
    assign unused_too = ^{offset, top, step, square, count, poly};
  end
endmodule
