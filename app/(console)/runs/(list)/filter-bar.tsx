'use client'
import { LoaderCircle } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState, useTransition } from 'react'
import { countOf } from '@/components/trace/count-of'
import { endWords } from '@/components/trace/end-words'
import { Button } from '@/components/ui/button'
import { SearchInput } from '@/components/ui/search-input'
import { Select, type SelectOption } from '@/components/ui/select'
import { EndReason } from '@/lib/protocol/run-event'
import type { RunFilter } from '@/lib/runs/schemas'
import { isNarrowed, readRunFilter, runsAddress } from './run-filter'

const stateOptions: SelectOption[] = [
  { value: 'all', label: 'Any state' },
  { value: 'status:queued', label: 'Queued' },
  { value: 'status:running', label: 'Running' },
  { value: 'status:waiting', label: 'Waiting' },
  ...EndReason.options.map((reason) => ({
    value: `reason:${reason}`,
    label: endWords(reason).word,
  })),
]
const sortOptions: SelectOption[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'cost', label: 'Highest cost' },
  { value: 'tokens', label: 'Most tokens' },
  { value: 'duration', label: 'Longest' },
]
const pauseMs = 250

export function FilterBar({
  filter,
  configurations,
  total,
}: {
  filter: RunFilter
  configurations: { id: string; name: string }[]
  total: number
}) {
  const { search, setSearch, go, pending } = useFilterAddress(filter)
  const configurationOptions = [
    { value: 'all', label: 'All configurations' },
    ...configurations.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search runs"
        className="w-full sm:w-64"
        value={search}
        onChange={setSearch}
      />
      <Select
        aria-label="State"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-44 sm:flex-none"
        options={stateOptions}
        value={stateValue(filter)}
        onValueChange={(value) => {
          const [kind, word] = value.split(':')
          go({ status: undefined, reason: undefined, ...(kind && word && { [kind]: word }) })
        }}
      />
      <Select
        aria-label="Configuration"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-52 sm:flex-none"
        options={configurationOptions}
        value={filter.configuration ?? 'all'}
        onValueChange={(value) => go({ configuration: value === 'all' ? undefined : value })}
      />
      <Select
        aria-label="Order"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-40 sm:flex-none"
        options={sortOptions}
        value={filter.sort}
        onValueChange={(value) => go({ sort: value })}
      />
      {isNarrowed(filter) && (
        <Button
          variant="ghost"
          onClick={() =>
            go({ search: '', status: undefined, reason: undefined, configuration: undefined })
          }
        >
          Clear filter
        </Button>
      )}
      <p role="status" className="numeric ml-auto flex items-center gap-1.5 text-muted text-sm">
        {pending && <LoaderCircle className="size-3.5 animate-spin" aria-hidden />}
        {countOf(total, 'run')}
      </p>
    </search>
  )
}

/** The address is the filter; typing changes it after a short pause, everything else at once. */
function useFilterAddress(filter: RunFilter) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const current = filter.search ?? ''
  const [search, setText] = useState(current)
  const [seen, setSeen] = useState({ current, asked: current })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Outside system: the clock that waits for a pause in typing.
  useEffect(() => () => clearTimeout(timer.current), [])

  // The address changed. Unless it follows what was typed here, the field follows the address.
  if (current !== seen.current) {
    setSeen({ current, asked: current })
    if (current !== seen.asked) setText(current)
  }
  const go = (part: Part) => {
    clearTimeout(timer.current)
    const { status, reason, configuration, user, sort } = filter
    const next = { status, reason, configuration, user, sort, search, ...part }
    setText(next.search)
    setSeen({ current, asked: next.search.trim() })
    startTransition(() => router.replace(runsAddress(readRunFilter(next)), { scroll: false }))
  }
  const setSearch = (text: string) => {
    setText(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => go({ search: text }), pauseMs)
  }
  return { search, setSearch, go, pending }
}

type Part = {
  search?: string
  status?: string
  reason?: string
  configuration?: string
  sort?: string
}

/** State and reason are one question to the reader. */
function stateValue({ status, reason }: RunFilter): string {
  if (reason) return `reason:${reason}`
  return status ? `status:${status}` : 'all'
}
