import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { ActionError } from '@/lib/action'

type Props = {
  /** Null = it is a new one. */
  configurationId: string | null
  note: { text: string; onChange: (text: string) => void }
  error: ActionError | null
  busy: boolean
}

/** The end of the form: why, what is wrong, and the way out. */
export function SaveBar({ configurationId, note, error, busy }: Props) {
  const isNew = configurationId === null
  return (
    <div className="flex flex-col gap-4 border-t pt-6">
      <Field
        id="note"
        label={isNew ? 'Why it is added' : 'What changes, and why'}
        optional
        hint="Kept in its history and in the audit."
        error={error?.fields?.note}
      >
        {(control) => (
          <Input
            {...control}
            value={note.text}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => note.onChange(event.target.value)}
          />
        )}
      </Field>
      {error && <ErrorNotice title="It was not saved">{summaryOf(error)}</ErrorNotice>}
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

function summaryOf({ message, fields }: ActionError): string {
  const count = Object.keys(fields ?? {}).length
  if (count === 0) return message
  return count === 1 ? 'One field is marked above.' : `${count} fields are marked above.`
}
