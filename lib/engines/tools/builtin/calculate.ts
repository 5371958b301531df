import { z } from 'zod'
import { calculate, functionNames, maxExpression, significantDigits } from '../calculation'
import { defineTool } from '../define-tool'

export default defineTool({
  name: 'calculate',
  isPlain: true,
  description:
    'Computes an arithmetic expression exactly, in decimal numbers. Use it for every sum, price, percentage or average instead of ' +
    'computing in your head. It knows + - * / ^ and parentheses, % for percent ("15% * 80"), pi, e, and ' +
    `${functionNames.join(', ')}. round rounds half away from zero. Write numbers like 1234.5, without a thousands separator.`,
  group: 'web',
  parameters: z.object({
    expression: z
      .string()
      .min(1)
      .max(maxExpression)
      .describe('For example: round(19.99 * 1.19, 2)'),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  trusted: true,
  dataClass: 'public',
  timeoutMs: 5_000,
  limits: ['1,000 characters', `${significantDigits} significant digits`, 'results up to 10^10000'],
  example: { expression: 'round(19.99 * 1.19, 2)' },
  execute: async ({ expression }) => ({ content: { expression, result: calculate(expression) } }),
})
