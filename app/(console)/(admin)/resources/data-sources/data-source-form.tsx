'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { dataSources } from '@/lib/domains/data-sources/shape'

const form = resourceForm(dataSources, {
  description:
    'Tools read nothing of it until you open tables on its page. The connection string is encrypted and never shown.',
  removal:
    'Tools read nothing of it any more, and what was opened is forgotten. The database itself stays. To pause it, switch it off instead.',
  opensPage: true,
})
export const NewDataSourceButton = form.NewButton
export const DataSourceActions = form.Actions
