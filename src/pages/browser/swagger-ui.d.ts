declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The part of Swagger UI that the reference uses. */
  interface SwaggerUi {
    preauthorizeApiKey(scheme: string, token: string): unknown;
  }
  /** A component of Swagger UI, typed only as far as we need to wrap it and pass its properties on. */
  type Component = (properties: Record<string, unknown>) => unknown;
  type Plugin = () => {
    wrapComponents: Record<
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
  export { type Plugin };
  export default function SwaggerUIBundle(options: object): SwaggerUi;
}

declare module '*.css';
