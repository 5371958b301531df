import type { ComponentProps } from 'react'
import { cn } from './cn'

/**
 * Shows a table that scrolls sideways inside its frame. `relative` keeps hidden labels inside, too. Name it with
 * `aria-label` or a `<caption>`.
 */
export function Table({ className, ...props }: ComponentProps<'table'>) {
  return (
    <div className="relative overflow-x-auto rounded-md border bg-surface-1">
      <table
        className={cn('cells w-full border-collapse text-left text-sm', className)}
        {...props}
      />
    </div>
  )
}

export function TableHead({ className, ...props }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cn(
        'whitespace-nowrap border-b bg-surface-2 px-3 py-2 font-medium text-muted',
        className,
      )}
      {...props}
    />
  )
}

export function TableRow(props: ComponentProps<'tr'>) {
  return <tr {...props} />
}

export function TableCell(props: ComponentProps<'td'>) {
  return <td {...props} />
}
