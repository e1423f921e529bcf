import { type Stage, requireSubject } from '../../permissions/request-context.js';
import { uploadError } from './logo-errors.js';
import { type HeldFile, type LogoIntake, type UploadedFile } from './logo-intake.js';

/**
 * Reads the file before the call takes an operation slot or a quota unit: a slow sender must not make other calls wait.
 * @throws DomainError from uploadError
 */
export function receiveLogo(intake: LogoIntake): Stage {
  return (next, parent, args: { input?: { logo?: Promise<UploadedFile> | null } }, context, info) => {
    const { logo, ...fields } = args.input ?? {};
    if (!logo) return next(parent, args, context, info);
    return intake.lend(requireSubject(context), async (hold) => {
      const file = await logo.then(hold).catch((error: unknown) => {
        throw uploadError(error);
      });
      const held = isUnchosen(file) ? fields : { ...fields, logo: Promise.resolve(file) };
      return next(parent, { ...args, input: held }, context, info);
    });
  };
}

/** If no file was chosen, a form sends an empty file without a name. */
const isUnchosen = ({ bytes, filename }: HeldFile): boolean => bytes.length === 0 && !filename;
