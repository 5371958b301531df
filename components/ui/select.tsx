'use client'
import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useNonce } from '@/components/nonce'
import { cn } from './cn'
import { controlStyles } from './control-styles'

export type SelectOption = {
  value: string
  label: string
  /** A second, muted line. */
  hint?: ReactNode
  disabled?: boolean
}

export type SelectProps = {
  options: readonly SelectOption[]
  value: string
  onValueChange: (value: string) => void
  placeholder?: string
  disabled?: boolean
  id?: string
  name?: string
  className?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** Shows a choice of one of a few options. No option may have the value "", which radix uses for "nothing chosen". */
export function Select({
  options,
  value,
  onValueChange,
  placeholder,
  disabled,
  name,
  className,
  ...trigger
}: SelectProps) {
  const nonce = useNonce()
  const chosen = options.find((option) => option.value === value)
  return (
    <Radix.Root value={value} onValueChange={onValueChange} disabled={disabled} name={name}>
      <Radix.Trigger
        className={cn(
          controlStyles,
          'flex h-8 items-center justify-between gap-2 px-2.5 text-left pointer-coarse:h-10 data-placeholder:text-muted',
          className,
        )}
        {...trigger}
      >
        <span className="truncate">
          {/* Rendered here, because radix knows the text of the value only in the browser. */}
          <Radix.Value placeholder={placeholder}>{chosen?.label}</Radix.Value>
        </span>
        <Radix.Icon asChild>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-96 animate-appear overflow-hidden rounded-md border bg-surface-1 shadow-float"
        >
          <Radix.Viewport nonce={nonce} className="p-1">
            {options.map((option) => (
              <Option key={option.value} option={option} />
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Option({ option }: { option: SelectOption }) {
  return (
    <Radix.Item
      value={option.value}
      disabled={option.disabled}
      className="relative flex min-h-8 select-none flex-col justify-center rounded-sm py-1 pr-8 pl-2 text-base text-normal outline-none data-disabled:text-muted data-disabled:opacity-60 data-highlighted:bg-surface-2 data-highlighted:text-strong"
    >
      <Radix.ItemText>{option.label}</Radix.ItemText>
      {option.hint && <span className="text-muted text-sm">{option.hint}</span>}
      <Radix.ItemIndicator className="absolute right-2">
        <Check className="size-4 text-link" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.Item>
  )
}
