// The named fields: GF(2)[t] modulo t^m + t^k1 + t^k2 + t^k3 + 1, or t^m + t^k1 + 1 where k2 = 0. A
// set of fields is a mask, bit i for field i. The last two are small, for exhaustive tests.
package ty_field_pkg;
  localparam int FIELDS_MAX = 8;

  function automatic int field_m(input int i);
    case (i)
      0: field_m = 113;
      1: field_m = 131;
      2: field_m = 163;
      3: field_m = 193;
      4: field_m = 233;
      5: field_m = 239;
      6: field_m = 7;
      default: field_m = 8;
    endcase
  endfunction

  function automatic int field_k1(input int i);
    case (i)
      0: field_k1 = 9;
      1: field_k1 = 8;
      2: field_k1 = 7;
      3: field_k1 = 15;
      4: field_k1 = 74;
      5: field_k1 = 158;
      6: field_k1 = 1;
      default: field_k1 = 4;
    endcase
  endfunction

  function automatic int field_k2(input int i);
    case (i)
      1: field_k2 = 3;
      2: field_k2 = 6;
      7: field_k2 = 3;
      default: field_k2 = 0;
    endcase
  endfunction

  function automatic int field_k3(input int i);
    case (i)
      1: field_k3 = 2;
      2: field_k3 = 3;
      7: field_k3 = 1;
      default: field_k3 = 0;
    endcase
  endfunction

  // Bits of an element of the largest field of the set.
  function automatic int widest(input int fields);
    int i;
    widest = 0;
    for (i = 0; i < FIELDS_MAX; i = i + 1)
      if (((fields >> i) & 1) != 0 && field_m(i) > widest) widest = field_m(i);
  endfunction

  // Cycles of a product in field i with digits of d bits.
  function automatic int product_cycles(input int i, input int d);
    product_cycles = (field_m(i) + d - 1) / d;
  endfunction

  // The field of a build with a single field and no generic mode, where nothing has to be selected;
  // else -1.
  function automatic int only_field(input int fields, input int generic);
    int i;
    only_field = -1;
    for (i = 0; i < FIELDS_MAX; i = i + 1) if (generic == 0 && fields == (1 << i)) only_field = i;
  endfunction

  // Bits of the registers: with generic mode, of degrees up to `generic`, a whole number of digits.
  function automatic int width(input int fields, input int generic, input int d);
    width = d * ((generic + d - 1) / d);
    if (widest(fields) > width) width = widest(fields);
  endfunction

  // 1 where a field of the set, or one of generic mode, takes c cycles for a product.
  function automatic bit takes(input int fields, input int generic, input int d, input int c);
    int i;
    takes = c > 1 && c <= (generic + d - 1) / d;
    for (i = 0; i < FIELDS_MAX; i = i + 1)
      if (((fields >> i) & 1) != 0 && product_cycles(i, d) == c) takes = 1;
  endfunction
endpackage
