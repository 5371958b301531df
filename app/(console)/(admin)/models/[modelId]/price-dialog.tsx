'use client'
import type { ModelDetails, PriceListing } from '@toolgate/server/domains/models/schemas'
import { FormDialog } from '@/components/forms/form'
import { TextControl } from '@/components/forms/form-controls'
import { CustomField, FormField } from '@/components/forms/form-field'
import { localText, utcText } from '@/components/forms/local-moment'
import { useActionForm } from '@/components/forms/use-action-form'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { setPrice } from '../actions'
import { PriceFields, pricesOf, typedPrices } from '../price-fields'

type Props = {
  model: ModelDetails
  /** The price that is changed; null = a new one, filled with the current price. */
  row: PriceListing | null
  onSaved: (validFrom: string) => void
  onClose: () => void
}

export function PriceDialog({ model, row, onSaved, onClose }: Props) {
  const form = useActionForm({
    values: {
      validFrom: '',
      prices: typedPrices(row ? row.prices : model.prices),
      source: row?.source ?? '',
    },
    send: ({ validFrom, prices, source }) =>
      setPrice({
        id: model.id,
        validFrom: row ? row.validFrom : (utcText(validFrom) ?? null),
        prices: pricesOf(prices),
        source,
        replace: row !== null,
      }),
    done: 'Price saved',
    onDone: ({ validFrom }) => onSaved(validFrom),
  })
  return (
    <FormDialog
      form={form}
      title={row ? 'Edit price' : 'Add price'}
      description="Applies to new runs. Past costs change when recomputed."
      button="Save price"
      onClose={onClose}
    >
      {row ? (
        <p>
          Valid from <RelativeTime at={row.validFrom} />.
        </p>
      ) : (
        <ValidFrom firstRunAt={model.firstRunAt} />
      )}
      <PriceFields />
      <FormField
        name="source"
        shape={{
          kind: 'text',
          label: 'Source',
          placeholder: 'Price list of 1 November',
          optional: true,
        }}
      />
    </FormDialog>
  )
}

const validFrom = { kind: 'text', type: 'moment', label: 'Valid from' } as const

function ValidFrom({ firstRunAt }: { firstRunAt: string | null }) {
  return (
    <CustomField<string>
      name="validFrom"
      label={validFrom.label}
      hint="In your time zone. Leave empty for now."
      optional
    >
      {(control, state) => (
        <div className="flex flex-wrap gap-2">
          <TextControl
            {...control}
            name="validFrom"
            className="w-auto flex-1"
            shape={validFrom}
            state={state}
          />
          {firstRunAt && (
            <Button onClick={() => state.onChange(localText(dayBefore(firstRunAt)))}>
              Before first run
            </Button>
          )}
        </div>
      )}
    </CustomField>
  )
}

/** Returns the start of the day before, in UTC: a run may have waited before its first call was counted. */
function dayBefore(at: string): string {
  return new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 10)
}
