'use client'
import { Plus, X } from 'lucide-react'
import { type ComponentProps, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { HeaderRow } from '@/components/nouns/connection-draft'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'

/** Shows rows for headers, as many as needed. */
export function HeaderRows({
  rows,
  error,
  onChange,
}: {
  rows: HeaderRow[]
  /** Begins with the header's name when the error is about one header. */
  error: string | undefined
  onChange: (rows: HeaderRow[]) => void
}) {
  const id = useId()
  const part = useRef<HTMLDivElement>(null)
  const change = (changed: HeaderRow, part: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row === changed ? { ...row, ...part } : row)))
  const named = rows.filter(({ name }) => error?.startsWith(`${name.trim()}: `))
  const isWrong = (row: HeaderRow) =>
    error !== undefined && (named.length === 0 || named.includes(row))
  const names = () => [...(part.current?.querySelectorAll<HTMLElement>('input[data-name]') ?? [])]
  const add = () => {
    const next = (rows.at(-1)?.id ?? 0) + 1
    flushSync(() => onChange([...rows, { id: next, name: '', value: '' }]))
    names().at(-1)?.focus()
  }
  const remove = (gone: HeaderRow) => {
    const index = rows.indexOf(gone)
    flushSync(() => onChange(rows.filter((row) => row !== gone)))
    const left = names()[Math.min(index, rows.length - 2)]
    const button = part.current?.querySelector<HTMLElement>('button[data-add]')
    if (left) left.focus()
    else button?.focus()
  }
  return (
    <div ref={part} className="flex flex-col items-start gap-2">
      {rows.length > 0 && (
        <ul className="flex w-full flex-col gap-2">
          {rows.map((row, index) => (
            <li key={row.id} className="flex items-center gap-2">
              <Input
                data-name
                aria-label={`Header ${index + 1}`}
                aria-invalid={isWrong(row) || undefined}
                aria-describedby={isWrong(row) ? `${id}-error` : undefined}
                placeholder="x-team"
                autoComplete="off"
                value={row.name}
                onChange={(event) => change(row, { name: event.target.value })}
              />
              <SecretInput
                aria-label={`Value ${index + 1}`}
                value={row.value}
                onChange={(event) => change(row, { value: event.target.value })}
              />
              <IconButton label={`Remove header ${index + 1}`} onClick={() => remove(row)}>
                <X />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {error && (
        <p id={`${id}-error`} className="text-error text-sm">
          {error}
        </p>
      )}
      {rows.some(({ name }) => isKeyHeader(name)) && (
        <p className="text-sm text-warning">This value may replace the key.</p>
      )}
      <Button size="sm" data-add onClick={add}>
        <Plus className="size-4" aria-hidden />
        Add header
      </Button>
    </div>
  )
}

function isKeyHeader(name: string): boolean {
  return /^(authorization|x-api-key)$/i.test(name.trim())
}

/** Shows a hidden field for a key or a header value, which password managers ignore. */
function SecretInput(props: ComponentProps<'input'>) {
  return (
    <Input
      type="password"
      autoComplete="off"
      spellCheck={false}
      data-1p-ignore
      data-lpignore="true"
      {...props}
      className="font-mono text-mono"
    />
  )
}
