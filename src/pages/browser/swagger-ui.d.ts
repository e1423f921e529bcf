declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type * as React from 'react';
  /** Just enough types to wrap a component and pass on its properties. */
  type Component = React.FunctionComponent<Record<string, unknown>>;
  type Plugin = () => {
    fn?: Record<string, (...parameters: never[]) => unknown>;
    wrapComponents?: Record<string, (original: Component, system: { React: typeof React }) => Component>;
  };
  export { type Plugin };
  export default function SwaggerUIBundle(options: object): {
    preauthorizeApiKey(scheme: string, token: string): unknown;
  };
}

declare module '*.css';
