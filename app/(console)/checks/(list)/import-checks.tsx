'use client'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form'
import { CustomField, FormField } from '@/components/forms/form-field'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { fileStyles } from '@/components/ui/control-styles'
import { Input } from '@/components/ui/input'
import type { ActionResult } from '@/lib/next/action'
import { mostFileBytes } from '@/lib/protocol/check/file-text'
import type { FieldShape } from '@/lib/shape/field-shape'
import { countOf } from '@/lib/words/format'
import { importChecks } from '../actions'

type Imported = { created: string[]; replaced: string[]; unchanged: string[] }
type Values = { file: File | null; replace: boolean }

/** Takes a file of checks from the reader. */
export function ImportChecks() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Upload className="size-4" aria-hidden />
        Import
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ onClose }: { onClose: () => void }) {
  const form = useActionForm<Values, Imported>({
    values: { file: null, replace: false },
    send: sendFile,
    fieldOf: () => 'file',
    done: (imported) => outcomeWords(imported),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title="Import checks"
      button="Import"
      failed="Not imported"
      onClose={onClose}
    >
      <CustomField<File | null>
        name="file"
        label="File"
        hint="As Export writes it, at most 1 MB."
        required="Pick a file."
      >
        {(control, { onChange }) => (
          <Input
            {...control}
            type="file"
            className={fileStyles}
            accept=".json,application/json"
            onChange={(event) => onChange(event.target.files?.[0] ?? null)}
          />
        )}
      </CustomField>
      <FormField name="replace" shape={replaceField} />
    </FormDialog>
  )
}

const replaceField: FieldShape = {
  kind: 'checkbox',
  label: 'Replace my checks of the same names',
}

async function sendFile({ file, replace }: Values): Promise<ActionResult<Imported>> {
  if (!file || file.size > mostFileBytes) return refused('The file is larger than 1 MB.')
  const given = readJson(await file.text())
  if (given === undefined) return refused('The file is not JSON. Export the checks again.')
  // The action checks every field of it.
  return importChecks({ file: given as Parameters<typeof importChecks>[0]['file'], replace })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refused(message: string): ActionResult<Imported> {
  return { ok: false, error: { code: 'validation', message, fields: { file: message } } }
}

function outcomeWords({ created, replaced, unchanged }: Imported): string {
  const parts = [
    created.length > 0 && `${countOf(created.length, 'check')} added`,
    replaced.length > 0 && `${countOf(replaced.length, 'check')} replaced`,
    unchanged.length > 0 && `${countOf(unchanged.length, 'check')} unchanged`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}
