'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { dataSources } from '@/lib/domains/data-sources/shape'

const form = resourceForm(dataSources, {
  removal: 'What was opened is forgotten. The database itself stays.',
  opensPage: true,
})
export const NewDataSourceButton = form.NewButton
export const DataSourceActions = form.Actions
