import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// `text-mono` is a size of ours; unknown to tailwind-merge it would count as a colour and be dropped.
const merge = extendTailwindMerge({ extend: { theme: { text: ['mono'] } } })

/** Joins class names. Of two classes for the same property, the last one wins. */
export function cn(...values: ClassValue[]): string {
  return merge(clsx(values))
}
