// The named fields: GF(2)[t] modulo t^m + t^k1 + t^k2 + t^k3 + 1, or t^m + t^k1 + 1 where k2 = 0.
// A set of fields is a mask, bit i for field i. The last two are toys, in which tests try everything.
package ty_field_pkg;
  localparam int FIELDS_MAX = 8;

  function automatic int field_m(input int i);
    case (i)
      0: return 113;
      1: return 131;
      2: return 163;
      3: return 193;
      4: return 233;
      5: return 239;
      6: return 7;
      default: return 8;
    endcase
  endfunction

  function automatic int field_k1(input int i);
    case (i)
      0: return 9;
      1: return 8;
      2: return 7;
      3: return 15;
      4: return 74;
      5: return 158;
      6: return 1;
      default: return 4;
    endcase
  endfunction

  function automatic int field_k2(input int i);
    case (i)
      1: return 3;
      2: return 6;
      7: return 3;
      default: return 0;
    endcase
  endfunction

  function automatic int field_k3(input int i);
    case (i)
      1: return 2;
      2: return 3;
      7: return 1;
      default: return 0;
    endcase
  endfunction

  // Bits of an element of the largest field of the set.
  function automatic int widest(input int fields);
    widest = 0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((fields >> i) & 1) != 0 && field_m(i) > widest) widest = field_m(i);
  endfunction

  // Cycles of a product in field i with digits of d bits.
  function automatic int product_cycles(input int i, input int d);
    return (field_m(i) + d - 1) / d;
  endfunction

  // 1 where a field of the set takes c cycles for a product.
  function automatic bit takes(input int fields, input int d, input int c);
    takes = 0;
    for (int i = 0; i < FIELDS_MAX; i++)
      if (((fields >> i) & 1) != 0 && product_cycles(i, d) == c) takes = 1;
  endfunction
endpackage
