import { subjectOf, type Middleware } from '../../access/request-context.js';
import { uploadError } from './logo-errors.js';
import { type HeldFile, type LogoIntake, type UploadedFile } from './logo-intake.js';

interface LogoArguments {
  input: { logo?: Promise<UploadedFile> | null };
}

/**
 * Reads the file of a call before the call takes a place among those under way or a unit of the quota. The sender decides
 * how long the file takes to come, and nobody else should have to wait for it meanwhile (Contract 8.6.5). The file stays
 * in memory until the call ends.
 * @throws DomainError the one that uploadError makes
 */
export function receiveLogo(intake: LogoIntake): Middleware {
  return async (resolve, parent, args: LogoArguments, context, info) => {
    const { logo, ...fields } = args.input;
    if (!logo) return resolve(parent, args, context, info) as unknown;
    return intake.lend(subjectOf(context), async (hold) => {
      const file = await logo.then(hold).catch((error: unknown) => {
        throw uploadError(error);
      });
      const held = isUnchosen(file) ? fields : { ...fields, logo: Promise.resolve(file) };
      return resolve(parent, { ...args, input: held }, context, info) as unknown;
    });
  };
}

/** Whether nobody has chosen a file: a form then sends one without a name and without a byte (Contract 4.1.7.1). */
const isUnchosen = ({ bytes, filename }: HeldFile): boolean => bytes.length === 0 && !filename;
