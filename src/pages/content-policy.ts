type Directives = Readonly<Record<string, readonly string[]>>;

const none = ["'none'"];
const self = ["'self'"];

const print = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';');

const everyPage: Directives = {
  'default-src': none,
  'base-uri': none,
  'form-action': none,
  'frame-ancestors': none,
};

/** For pages built from installed packages: they load nothing from other machines and run no inline scripts. */
export const ownPagePolicy: string = print({
  ...everyPage,
  'script-src': self,
  'worker-src': self,
  // The explorer and the reference need style attributes and elements.
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'connect-src': self,
});

const sandboxCdn = 'https://embeddable-sandbox.cdn.apollographql.com';
const landingPageCdn = 'https://apollo-server-landing-page.cdn.apollographql.com';

export const sandboxPolicy = (nonce: string): string =>
  print({
    ...everyPage,
    'script-src': [`'nonce-${nonce}'`, sandboxCdn],
    'style-src': [`'nonce-${nonce}'`, sandboxCdn, 'https://fonts.googleapis.com'],
    'font-src': ['https://fonts.gstatic.com'],
    'img-src': [landingPageCdn],
    'manifest-src': [landingPageCdn],
    'frame-src': ['https://sandbox.embed.apollographql.com'],
    'connect-src': self,
  });
