import { useApolloClient, useQuery } from '@apollo/client/react';
import { CompanyFormDocument, type CompanyFormQuery, type EditedCompany } from 'recruitment-gateway-client';
import { sendWith } from 'recruitment-gateway-client/apollo';
import { useCompanyEdit } from 'recruitment-gateway-client/react';
import { Field, Status } from './field';

export function CompanyForm({ media, company }: { media: string; company: string }) {
  const { data } = useQuery(CompanyFormDocument, {
    variables: { mediaPublicId: media, publicId: company },
    fetchPolicy: 'no-cache',
  });
  return data?.company ? <Inputs key={data.company.id} company={data.company} data={data} /> : null;
}

function Inputs({ company, data }: { company: EditedCompany; data: CompanyFormQuery }) {
  const form = useCompanyEdit(sendWith(useApolloClient()), company);
  // Also the one that a save has stored.
  const logo = form.edit.get('logoUrl');
  const optionsOf = (references: CompanyFormQuery['sizes']) =>
    references?.map(({ publicId, name }) => (
      <option key={publicId} value={publicId}>
        {name}
      </option>
    ));
  return (
    <form onSubmit={form.save} noValidate>
      <Field form={form} name="name" label="Company" />
      <Field form={form} name="sizeId" label="Size" as="select">
        <option />
        {optionsOf(data.sizes)}
      </Field>
      <Field form={form} name="sectorIds" label="Sectors" as="select">
        {optionsOf(data.sectors)}
      </Field>
      <Field form={form} name="logo" label="New logo" />
      {logo && <img src={logo} alt={`Logo of ${company.name}`} />}
      <button>Save company</button>
      <button type="button" onClick={form.edit.discard}>
        Discard
      </button>
      <Status form={form} references={data} />
    </form>
  );
}
