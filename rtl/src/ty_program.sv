// The memory of the microprogram, which has an image for each c, the number of cycles (digits) that
// a product takes.
//
// Ports    field, generic, generic_top: the selected field, whose c selects the image
//          word: the word at addr in this image
// Latency  none, look-up tables only
module ty_program
  import ty_field_pkg::*;
  import ty_word_pkg::*;
#(
    parameter int FIELDS           = 4,
    parameter int GENERIC          = 0,
    parameter int GENERIC_SQUARER  = 0,
    parameter int MULTIPLIERS      = 1,
    parameter int D                = 55,
    parameter int TopBits          = 1
) (
    input  logic [2:0]              field,
    input  logic                    generic,
    input  logic [TopBits-1:0]      generic_top,    // c - 1 in generic mode
    input  logic [ADDRESS_BITS-1:0] addr,
    output word_t                   word
);
  localparam int CMax = 30;   // the largest c of ty_ucode's images
  // the GENERIC of ty_ucode
  localparam int Kind = GENERIC == 0 ? 0 : GENERIC_SQUARER != 0 ? 2 : 1;

  logic [WORD_BITS-1:0] image[CMax+1];
  assign image[0] = '0;
  for (genvar c = 1; c <= CMax; c++) begin : g_image
    if (takes(FIELDS, GENERIC, D, c)) begin : g_used
      ty_ucode #(
          .C(c), .GENERIC(c == 1 ? 0 : Kind), .MULTIPLIERS(MULTIPLIERS)
      ) ucode (
          .addr(addr), .word(image[c])
      );
    end else begin : g_none
      assign image[c] = '0;
    end
  end
  if (only_field(FIELDS, GENERIC) >= 0) begin : g_one
    assign word = image[product_cycles(only_field(FIELDS, GENERIC), D)];
    logic unused;
    assign unused = ^{field, generic, generic_top};
  end else begin : g_several
    always_comb begin
      word = '0;
      for (int c = 2; c <= (GENERIC + D - 1) / D; c++)
        if (generic && generic_top == TopBits'(c - 1)) word = image[c];
      for (int i = 0; i < FIELDS_MAX; i++)
        if (((FIELDS >> i) & 1) != 0 && field == 3'(i) && !generic)
          word = image[product_cycles(i, D)];
    end
  end
endmodule
