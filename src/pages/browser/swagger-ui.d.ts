declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUi {
    preauthorizeApiKey(scheme: string, token: string): unknown;
  }
  /** Just enough types to wrap a component and pass on its properties. */
  type Component = (properties: Record<string, unknown>) => unknown;
  type Plugin = () => {
    fn?: Record<string, (...given: never[]) => unknown>;
    wrapComponents?: Record<
      string,
      (
        original: Component,
        system: {
          React: {
            createElement(type: Component | string, properties: object | null, content?: unknown): unknown;
          };
        },
      ) => Component
    >;
  };
  interface Options {
    domNode: HTMLElement;
    spec: object;
    deepLinking: boolean;
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    docExpansion: 'list' | 'full' | 'none';
    filter: boolean;
    persistAuthorization: boolean;
    plugins: Plugin[];
    syntaxHighlight: { activated: boolean; theme: string };
    tryItOutEnabled: boolean;
    validatorUrl: string | null;
    onComplete: () => void;
  }
  export { type Plugin };
  export default function SwaggerUIBundle(options: Options): SwaggerUi;
}

declare module '*.css';
