import { type Types } from 'mongoose';
import { type Language, type LocalisedText } from '../errors/catalogue.js';
import { type Versioned } from '../history/history-entry.js';

/** Callers cannot change the flags. */
export interface Membership {
  /** Public id of the media. */
  media: string;
  isPublished: boolean;
  isVmePagePublished: boolean;
}

/** A workplace that jobs refer to. */
export interface Office {
  _id: Types.ObjectId;
  publicId: string;
  name: LocalisedText;
}

/** A file stored under the hash of its content, or an external URL. */
export type Logo = { kind: 'file'; hash: string } | { kind: 'url'; url: string };

export interface CompanyRecord extends Versioned {
  name: string;
  /** Unique across all media. */
  nameKey: string;
  domainUrl: string | null;
  /** Unique across all media. Absent if there is no domain: the sparse index would count a stored null. */
  domainKey?: string | null;
  /** Public id of the brand. */
  brand: string | null;
  memberships: Membership[];
  offices: Office[];
  size: Types.ObjectId | null;
  sectors: Types.ObjectId[];
  description: string | null;
  language: Language;
  logo: Logo | null;
  /** Subject of the caller who created the record. */
  createdBy: string;
  /**
   * Raised before an import changes who reaches the company's jobs, and again when the change is completed. Absent before the first time.
   */
  reachVersion?: number;
}

export const blankCompany: Omit<CompanyRecord, keyof Versioned | 'name' | 'nameKey' | 'createdBy'> = {
  domainUrl: null,
  brand: null,
  memberships: [],
  offices: [],
  size: null,
  sectors: [],
  description: null,
  language: 'fr',
  logo: null,
};
