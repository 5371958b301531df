'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { localText, utcText } from '@/components/forms/local-moment'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RelativeTime } from '@/components/ui/relative-time'
import { useToast } from '@/components/ui/toast'
import type { ModelDetails, PriceListing } from '@/lib/domains/models/schemas'
import { setPrice } from '../actions'
import { PriceFields, pricesTyped } from '../price-fields'

type Props = {
  model: ModelDetails
  /** The price that is changed; null = a new one, filled with the current price. */
  row: PriceListing | null
  onSaved: (validFrom: string) => void
  onClose: () => void
}

export function PriceDialog({ model, row, onSaved, onClose }: Props) {
  const router = useRouter()
  const toast = useToast()
  const [from, setFrom] = useState('')
  const send = (text: (field: string) => string) =>
    setPrice({
      modelId: model.id,
      validFrom: row ? row.validFrom : (utcText(from) ?? null),
      prices: pricesTyped(text),
      source: text('source'),
      replace: row !== null,
    })
  const done = ({ validFrom }: { validFrom: string }) => {
    toast({ tone: 'ok', title: 'Saved the price' })
    router.refresh()
    onSaved(validFrom)
  }
  return (
    <FormDialog
      title={row ? 'Edit price' : 'Add price'}
      description="Active runs keep the prices they started with. The cost of past runs changes only when you recompute it."
      button="Save price"
      failed="The price was not saved"
      send={send}
      onDone={done}
      onClose={onClose}
      changed={from !== ''}
    >
      {(wrong, id) => (
        <>
          {row ? (
            <p>
              Valid from <RelativeTime at={row.validFrom} />.
            </p>
          ) : (
            <ValidFrom
              id={id}
              error={wrong.validFrom}
              from={from}
              firstRunAt={model.firstRunAt}
              onChange={setFrom}
            />
          )}
          <PriceFields id={id} prices={row ? row.prices : model.prices} wrong={wrong} />
          <Field id={`${id}-source`} label="Source" error={wrong.source} optional>
            {(control) => (
              <Input
                {...control}
                name="source"
                autoComplete="off"
                placeholder="Price list of 1 November, contract…"
                defaultValue={row?.source ?? ''}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function ValidFrom(props: {
  id: string
  error: string | undefined
  from: string
  firstRunAt: string | null
  onChange: (local: string) => void
}) {
  const { id, error, from, firstRunAt, onChange } = props
  return (
    <Field
      id={`${id}-from`}
      label="Valid from"
      hint="In your time zone, past or future. Leave empty for now."
      error={error}
      optional
    >
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Input
            {...control}
            type="datetime-local"
            className="w-auto flex-1"
            value={from}
            onChange={(event) => onChange(event.target.value)}
          />
          {firstRunAt && (
            <Button onClick={() => onChange(localText(dayBefore(firstRunAt)))}>
              Before the first run
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

/** Returns the start of the day before, in UTC: a run may have waited before its first call was counted. */
function dayBefore(at: string): string {
  return new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 10)
}
