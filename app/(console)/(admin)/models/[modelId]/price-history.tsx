'use client'
import type { ModelDetails, PriceListing } from '@toolgate/server/domains/models/schemas'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { priceText, priceWords } from '@/components/nouns/model-words'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { IconButton } from '@/components/ui/icon-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { useNow } from '@/components/ui/use-now'
import { type PriceKind, priceKinds } from '@/lib/protocol/cost/cost'
import { longPromptText } from '@/lib/words/format'
import { removePrice } from '../actions'

type Props = {
  model: ModelDetails
  onChange: (row: PriceListing) => void
  onRemoved: (validFrom: string) => void
}

/** Shows every past, present and future price of the model, newest first. */
export function PriceHistory({ model, onChange, onRemoved }: Props) {
  const [removing, setRemoving] = useState<PriceListing | null>(null)
  const { currentPriceId: current, history } = model
  const rows = { current, onChange, onRemove: setRemoving }
  return (
    <>
      <div className="hidden md:block">
        <Table aria-label="US dollars per million tokens">
          <thead>
            <tr>
              <TableHead>Valid from</TableHead>
              {priceKinds.map((name) => (
                <TableHead key={name} className="text-right">
                  {priceWords[name]}
                </TableHead>
              ))}
              <TableHead>Source</TableHead>
              <TableHead>
                <span className="sr-only">Actions</span>
              </TableHead>
            </tr>
          </thead>
          <tbody>
            {history.map((row) => (
              <Row key={row.id} row={row} {...rows} />
            ))}
          </tbody>
        </Table>
      </div>
      <ul className="flex flex-col gap-2 md:hidden">
        {history.map((row) => (
          <Entry key={row.id} row={row} {...rows} />
        ))}
      </ul>
      {removing && (
        <ActWithReason
          title={`Delete price from ${moment.format(new Date(removing.validFrom))}`}
          failed="Not deleted"
          done="Price deleted"
          send={(reason) => removePrice({ id: model.id, priceId: removing.id, reason })}
          onDone={() => onRemoved(removing.validFrom)}
          onClose={() => setRemoving(null)}
        >
          The price before it applies instead. Past costs change when recomputed.
        </ActWithReason>
      )}
    </>
  )
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

type RowProps = {
  row: PriceListing
  current: string | null
  onChange: (row: PriceListing) => void
  onRemove: (row: PriceListing) => void
}

function Row(props: RowProps) {
  const { row } = props
  return (
    <TableRow>
      <TableCell className="whitespace-nowrap">
        <RelativeTime at={row.validFrom} /> <When {...props} />
      </TableCell>
      {priceKinds.map((name) => (
        <TableCell key={name} className="numeric text-right">
          <Price row={row} name={name} />
        </TableCell>
      ))}
      <TableCell className="max-w-80 [overflow-wrap:anywhere]">
        <Source row={row} />
      </TableCell>
      <TableCell className="whitespace-nowrap text-right">
        <Buttons {...props} />
      </TableCell>
    </TableRow>
  )
}

function Entry(props: RowProps) {
  const { row } = props
  return (
    <li className="flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <span>
          From <RelativeTime at={row.validFrom} /> <When {...props} />
        </span>
        <span className="whitespace-nowrap">
          <Buttons {...props} />
        </span>
      </div>
      <ul className="numeric flex flex-wrap gap-x-3 text-sm">
        {priceKinds.map((name) => (
          <li key={name}>
            <span className="text-muted">{priceWords[name]}</span> <Price row={row} name={name} />
          </li>
        ))}
      </ul>
      <p className="text-sm [overflow-wrap:anywhere]">
        <Source row={row} />
      </p>
    </li>
  )
}

function When({ row, current }: RowProps) {
  const now = useNow()
  if (row.id === current) return <Badge tone="ok">current</Badge>
  return Date.parse(row.validFrom) > now ? <Badge tone="accent">future</Badge> : null
}

function Price({ row, name }: { row: PriceListing; name: PriceKind }) {
  const price = row.prices[name]
  if (price !== null) return priceText(price)
  if (name === 'reasoning') return <span className="text-muted">same as output</span>
  const isNeeded = name === 'input' || name === 'output'
  return isNeeded ? <Badge tone="warning">unpriced</Badge> : <span className="text-muted">–</span>
}

function Source({ row }: { row: PriceListing }) {
  return (
    <>
      {row.prices.longPrompt && (
        <span className="numeric block">{longPromptText(row.prices.longPrompt)}</span>
      )}
      {row.source && <VisibleText text={row.source} />}
      <span className="block text-muted">
        set by <VisibleText text={row.createdBy} />
      </span>
    </>
  )
}

function Buttons({ row, onChange, onRemove }: RowProps) {
  return (
    <>
      <IconButton label="Edit price" size="sm" onClick={() => onChange(row)}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton label="Delete price" size="sm" onClick={() => onRemove(row)}>
        <Trash2 aria-hidden />
      </IconButton>
    </>
  )
}
