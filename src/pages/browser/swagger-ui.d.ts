declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** The part of Swagger UI that the reference uses. */
  interface SwaggerUi {
    preauthorizeApiKey(scheme: string, token: string): unknown;
  }
  interface Options {
    domNode: HTMLElement;
    spec: object;
    deepLinking: boolean;
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    docExpansion: 'list' | 'full' | 'none';
    persistAuthorization: boolean;
    tryItOutEnabled: boolean;
    validatorUrl: string | null;
    onComplete: () => void;
  }
  export default function SwaggerUIBundle(options: Options): SwaggerUi;
}

declare module '*.css';
