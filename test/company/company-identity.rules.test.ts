import { describe, expect, it } from '@jest/globals';
import { domainKey, isDomain } from '../../src/company/company-identity.rules.js';
import { nameKey } from '../../src/text/name-key.rules.js';

describe('company name', () => {
  it.each([
    ['Éclair Blanc', 'eclair blanc'],
    ['Việt', 'viet'],
    ['  L’Œuvre   ÆTHER ', 'l’oeuvre aether'],
    ['STRASSE & Söhne', 'strasse & sohne'],
    ['Straße & Sohne', 'strasse & sohne'],
    ['ＡＣＭＥ', 'acme'],
    ['ﬁn', 'fin'],
    ['İstanbul', 'istanbul'],
    ['ΣΙΣΥΦΟΣ', 'σισυφος'],
    ['σισυφοσ', 'σισυφος'],
    ['𝛓', 'σ'],
    ['ᾳ', 'αι'],
    ['GROẞ', 'gross'],
    ['日本', '日本'],
    ['\u00a0a\t\nb\u2003', 'a b'],
    ['\u0301', ''],
    [' \u0301\t\u00a8', ''],
    ['\u200b', ''],
    ['\u2060\u00ad', ''],
    ['Ac\u200bme\u202e', 'acme'],
    ['e\u200d\u0301clair', 'eclair'],
    ['葛\u{e0100}', '葛'],
  ])('%p has the key %p (Contract 5.2.4)', (name, key) => {
    expect(nameKey(name)).toBe(key);
  });

  it.each([
    ['Blue Sky', 'Bluesky'],
    ['Acme', 'Acme 2'],
    ['C++', 'C#'],
    // In these scripts, a mark changes the letter or adds a vowel.
    ['パリ', 'バリ'],
    ['パリ', 'ハリ'],
    ['ガス', 'カス'],
    ['राम', 'रमा'],
    ['ไทยดี', 'ไทยดู'],
    ['Край', 'Краи'],
  ])('%p and %p have different keys (Contract 5.2.4)', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});

describe('company domain', () => {
  it.each([
    ['acme.example', 'acme.example'],
    [' HTTPS://WWW.Acme.Example:8443/a?b=c#d ', 'acme.example'],
    ['jobs.acme.example', 'jobs.acme.example'],
    ['acme.example.', 'acme.example'],
    ['www.www.acme.example', 'acme.example'],
    ['www.fr', 'www.fr'],
    ['jobs.www.acme.example', 'jobs.www.acme.example'],
    ['acme.example/?from=https://b.example', 'acme.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a-b.c0.example', 'a-b.c0.example'],
    ['\u200bacme.example\u200e ', 'acme.example'],
  ])('%p has the key %p (Contract 5.2.4)', (domain, key) => {
    expect(domainKey(domain)).toBe(key);
  });

  it.each([
    ...[
      'facebook.com/acme',
      'https://www.facebook.com/acme?x',
      'm.facebook.com/acme',
      'fr-fr.facebook.com/a',
    ],
    ...['fr.linkedin.com/company/acme', 'linkedin.com/company/acme', 'LINKEDIN.com./company/acme'],
    ...[
      'instagram.com/acme',
      'x.com/acme',
      'twitter.com/acme',
      'mobile.twitter.com/acme',
      'tiktok.com/@acme',
    ],
    ...['youtube.com/@acme', 'pinterest.fr/acme', 'www.pinterest.co.uk/acme', 'linktr.ee/acme'],
    ...['sites.google.com/view/acme', 'welcometothejungle.com/fr/companies/acme', 'indeed.com/cmp/Acme'],
    ...['indeed.fr/cmp/Acme', 'indeed.co.uk/cmp/Acme', 'fr.indeed.com:443/cmp/Acme', 'glassdoor.fr/Acme'],
    ...['www.glassdoor.com.au/Acme'],
  ])('%p has no key, because many companies share the site (Contract 5.2.5)', (domain) => {
    expect(domainKey(domain)).toBeNull();
    expect(isDomain(domain)).toBe(true);
  });

  it.each([
    ['https://www.facebook.com/', 'facebook.com'],
    ['facebook.com//', 'facebook.com'],
    ['fr.linkedin.com?a=/b#/c', 'fr.linkedin.com'],
    ['indeed.fr', 'indeed.fr'],
    ['notfacebook.com/acme', 'notfacebook.com'],
    ['facebook.com.acme.example/acme', 'facebook.com.acme.example'],
    ['facebook.acme.fr/acme', 'facebook.acme.fr'],
    ['x.fr/acme', 'x.fr'],
    ['google.com/acme', 'google.com'],
    ['maps.google.com/acme', 'maps.google.com'],
  ])('%p has the key %p, because it is no page of a shared site (Contract 5.2.5)', (domain, key) => {
    expect(domainKey(domain)).toBe(key);
  });
});
