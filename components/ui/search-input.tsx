import { Search } from 'lucide-react'
import { cn } from './cn'
import { Input } from './input'

/**
 * Shows a search field with a magnifier. `label` is its accessible name and, unless there is a shorter one, its placeholder.
 * It is part of no form, so Enter sends nothing.
 */
export function SearchInput({
  label,
  placeholder = label,
  value,
  onChange,
  className,
}: {
  label: string
  placeholder?: string
  value: string
  onChange: (search: string) => void
  className?: string
}) {
  return (
    <div className={cn('relative', className)}>
      <Search
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <Input
        type="search"
        form=""
        aria-label={label}
        placeholder={placeholder}
        className="pl-8"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
