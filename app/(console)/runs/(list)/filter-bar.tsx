'use client'
import { LoaderCircle } from 'lucide-react'
import { useAddressFilter } from '@/components/forms/use-address-filter'
import { countOf } from '@/components/trace/count-of'
import { endWords } from '@/components/trace/end-words'
import { Button } from '@/components/ui/button'
import { SearchInput } from '@/components/ui/search-input'
import { Select, type SelectOption } from '@/components/ui/select'
import { EndReason } from '@/lib/protocol/run-event'
import type { RunFilter } from '@/lib/runs/schemas'
import { filterInAddress, isNarrowed } from './run-filter'

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

export function FilterBar({
  filter,
  configurations,
  total,
}: {
  filter: RunFilter
  configurations: { id: string; name: string }[]
  total: number
}) {
  const { pick, pickAll, pending, ...address } = useAddressFilter('/runs', filterInAddress(filter))
  const configurationOptions = [
    { value: 'all', label: 'All configurations' },
    ...configurations.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search runs"
        className="w-full sm:w-64"
        value={address.valueOf('search')}
        onChange={(text) => address.type('search', text)}
      />
      <Select
        aria-label="State"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-44 sm:flex-none"
        options={stateOptions}
        value={stateValue(filter)}
        onValueChange={(value) => {
          const [kind, word] = value.split(':')
          pickAll({ status: undefined, reason: undefined, ...(kind && word && { [kind]: word }) })
        }}
      />
      <Select
        aria-label="Configuration"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-52 sm:flex-none"
        options={configurationOptions}
        value={filter.configuration ?? 'all'}
        onValueChange={(value) => pick('configuration', value === 'all' ? undefined : value)}
      />
      <Select
        aria-label="Order"
        className="w-auto min-w-40 flex-1 sm:min-w-0 sm:w-40 sm:flex-none"
        options={sortOptions}
        value={filter.sort}
        onValueChange={(value) => pick('sort', value === 'newest' ? undefined : value)}
      />
      {isNarrowed(filter) && (
        <Button variant="ghost" onClick={() => pickAll(nothing)}>
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

/** The order is no part of what narrows the list. */
const nothing = {
  search: undefined,
  status: undefined,
  reason: undefined,
  configuration: undefined,
  user: undefined,
}

/** State and reason are one question to the reader. */
function stateValue({ status, reason }: RunFilter): string {
  if (reason) return `reason:${reason}`
  return status ? `status:${status}` : 'all'
}
