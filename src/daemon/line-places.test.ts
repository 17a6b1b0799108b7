import { expect, test } from "vitest";
import { LinePlaces, readLinePlace } from "./line-places.ts";

test("D3 a line of a journal has a place, which is read back as it was given", () => {
  const places = new LinePlaces(4);
  const given = [undefined, undefined, 5, undefined, 9].map((n) => places.next(n));
  const told = given.map(({ after, behind }) => (behind === 0 ? `${after}` : `${after}.${behind}`));
  expect(told).toEqual(["4.1", "4.2", "5", "5.1", "9"]);
  expect(told.map(readLinePlace)).toEqual(given);
  for (const text of ["", "x", "1.", ".1", "1.2.3", "-1", "1e3"]) expect(readLinePlace(text)).toBeUndefined();
});
