import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { ActionError } from '@/lib/kernel/action'
import { countOf } from '@/lib/protocol/format'
import type { PolicyEffect } from '@/lib/toolset/policy-effect'

type Props = {
  /** Null = it is a new one. */
  configurationId: string | null
  note: { text: string; onChange: (text: string) => void }
  error: ActionError | null
  busy: boolean
  effect: PolicyEffect | null
}

/** The end of the form: the reason for the change, errors that belong to no field, Save and Cancel. */
export function SaveBar({ configurationId, note, error, busy, effect }: Props) {
  const isNew = configurationId === null
  return (
    <div className="flex flex-col gap-4 border-t pt-6">
      <Field
        id="note"
        label={isNew ? 'Note: why you add it' : 'Note: what changes, and why'}
        optional
        hint="Stored in the history and in the audit."
        error={error?.fields?.note}
      >
        {(control) => (
          <Input
            {...control}
            value={note.text}
            autoComplete="off"
            onChange={(event) => note.onChange(event.target.value)}
          />
        )}
      </Field>
      {effect && effect.opens.length + effect.closes.length > 0 && (
        <p className="text-warning">
          Saving {effectWords(effect)}. These tools are listed under Model.
        </p>
      )}
      {error && (
        <ErrorNotice title="The configuration was not saved">{summaryOf(error)}</ErrorNotice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" loading={busy}>
          {isNew ? 'Add configuration' : 'Save changes'}
        </Button>
        <Button asChild>
          <Link href={isNew ? '/configurations' : `/configurations/${configurationId}`}>
            Cancel
          </Link>
        </Button>
      </div>
    </div>
  )
}

function effectWords({ opens, closes }: PolicyEffect): string {
  return [
    ...(opens.length > 0 ? [`allows ${countOf(opens.length, 'more tool')}`] : []),
    ...(closes.length > 0 ? [`blocks ${countOf(closes.length, 'tool')}`] : []),
  ].join(' and ')
}

function summaryOf({ message, fields }: ActionError): string {
  const count = Object.keys(fields ?? {}).length
  if (count === 0) return message
  return count === 1 ? 'Correct the marked field.' : `Correct the ${count} marked fields.`
}
