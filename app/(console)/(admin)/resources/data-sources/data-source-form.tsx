'use client'
import {
  type FormSpec,
  NewResourceButton,
  type ReferenceChoices,
  ResourceActions,
} from '@/components/resource/resource-form'
import { type DataSource, dataSources } from '@/lib/domains/data-sources/shape'
import { addDataSource, changeDataSource, removeDataSource } from './actions'

const spec: FormSpec<typeof dataSources> = {
  add: addDataSource,
  change: changeDataSource,
  remove: removeDataSource,
  description:
    'Tools read nothing of it until you open tables on its page. The connection string is encrypted and never shown.',
  removal:
    'Tools read nothing of it any more, and what was opened is forgotten. The database itself stays. To pause it, switch it off instead.',
  opensPage: true,
}

export function NewDataSourceButton({ choices }: { choices: ReferenceChoices }) {
  return <NewResourceButton resource={dataSources} spec={spec} choices={choices} />
}

/** Edits and deletes a data source. */
export function DataSourceActions({
  source,
  choices,
}: {
  source: DataSource
  choices: ReferenceChoices
}) {
  return <ResourceActions resource={dataSources} stored={source} spec={spec} choices={choices} />
}
