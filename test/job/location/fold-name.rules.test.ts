import { describe, expect, it } from '@jest/globals';
import { foldName, withoutArticle } from '../../../src/job/location/fold-name.rules.js';

describe('a place name (Contract 5.7.1)', () => {
  it.each([
    ['Île-d’Yeu', 'ile d yeu'],
    ['Œting', 'oeting'],
    ['Ætréville', 'aetreville'],
    ['a\u0323\u0301b', 'ab'],
    ['St. Lô', 'saint lo'],
    ['Ste Foy', 'sainte foy'],
    ['Sts Geosmes', 'saints geosmes'],
    ['Stes-Maries', 'saintes maries'],
    ['Brest', 'brest'],
    ['Steenvoorde', 'steenvoorde'],
    ['ŷƀ', 'yƀ'],
    ['東京', '東京'],
    ['---', ''],
  ])('%p is folded to %p', (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });

  it.each([
    ['le mans', 'mans'],
    ['les lilas', 'lilas'],
    ['la rochelle', 'rochelle'],
    ['l hay les roses', 'hay les roses'],
    ['the netherlands', 'netherlands'],
    ['villa rose', 'villa rose'],
    ['lesparre', 'lesparre'],
    ['la', 'la'],
  ])('%p without its article is %p', (folded, name) => {
    expect(withoutArticle(folded)).toBe(name);
  });
});
