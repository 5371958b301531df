'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { type FoundTable, openedTables } from '@/lib/domains/data-sources/shared/opened-table'
import type { ActionResult } from '@/lib/next/action'
import { reasonField } from '@/lib/shape/reason-words'
import { visibleText } from '@/lib/words/clean-text'
import { countOf } from '@/lib/words/format'
import { openSourceTable } from '../actions'
import { groupsField, usualColumns } from './open-table-form'

type Props = {
  sourceId: string
  isConsole: boolean
  tables: readonly FoundTable[]
  groups: readonly { id: string; name: string }[]
  onClose: () => void
}

/**
 * Shows the form that opens several tables for reading, each with its columns that look like no secret. Tables that were opened
 * before one was refused stay open.
 */
export function OpenTablesForm({ sourceId, isConsole, tables, groups, onClose }: Props) {
  const [done, setDone] = useState<readonly FoundTable[]>([])
  const router = useRouter()
  const words = countOf(tables.length, 'table')
  const form = useActionForm({
    // The console's own tables hold what everybody wrote in runs.
    values: { groupsOnly: isConsole, groupIds: [] as string[], reason: '' },
    send: async ({ groupsOnly, groupIds, reason }): Promise<ActionResult<undefined>> => {
      const readers = { groupsOnly, groupIds: groupsOnly ? groupIds : [], reason }
      const opened = [...done]
      const refused: string[] = []
      for (const table of tables.filter((each) => !done.includes(each))) {
        const { schema, name } = table
        const result = await openSourceTable({
          id: sourceId,
          schema,
          name,
          columns: usualColumns(table),
          ...readers,
        })
        if (result.ok) opened.push(table)
        else if (result.error.fields) {
          const [why = result.error.message] = Object.values(result.error.fields)
          refused.push(`${visibleText(`${schema}.${name}`)}: ${why}`)
        } else {
          setDone(opened)
          return result
        }
      }
      setDone(opened)
      if (refused.length === 0) return { ok: true, value: undefined }
      return { ok: false, error: { code: 'validation', message: refused.join(' ') } }
    },
    done: `Opened ${words}`,
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Open ${words}`}
      description="Opens all columns for reading, but those that look like secrets."
      button={`Open ${words}`}
      failed={done.length === 0 ? 'No table was opened' : `${done.length} of ${words} were opened`}
      onClose={() => {
        if (done.length > 0) router.refresh()
        onClose()
      }}
    >
      <p className="max-h-40 overflow-auto font-mono text-mono [overflow-wrap:anywhere]">
        {tables.map(({ schema, name }) => visibleText(`${schema}.${name}`)).join(', ')}
      </p>
      <FormField
        name="groupsOnly"
        shape={{ ...openedTables.fields.groupsOnly, label: 'Members who may read them' }}
      />
      {form.watch('groupsOnly') && <FormField name="groupIds" shape={groupsField(groups)} />}
      <FormField name="reason" shape={reasonField} />
    </FormDialog>
  )
}
