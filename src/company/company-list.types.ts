import { connectionType } from '../paging/page.types.js';
import { CompanyType } from './company.types.js';

export const CompanyConnectionType = connectionType('Company', CompanyType, {
  page: 'A page of companies.',
  items: 'The companies.',
  edge: 'A company and its cursor in the list.',
  item: 'The company.',
});
