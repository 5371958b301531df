import { expect, test } from 'vitest'
import { modelTarget } from '@/tests/support/run-fixture'
import { unpriced } from './cost'
import { noPriceWords, pricesFor } from './service-tier'

const target = modelTarget()
const { prices } = target

test.each([null, 'auto', 'default', 'standard', 'standard_only', 'flex', 'Batch', 'on_demand'])(
  'the tier %s costs what the model costs',
  (serviceTier) => {
    expect(pricesFor(target, { serviceTier })).toEqual({ prices })
  },
)

test.each(['priority', 'Fast', 'scale', 'auto2', ''])(
  'no price is known of the tier "%s"',
  (tier) => {
    const asked = pricesFor(target, { serviceTier: tier })
    expect(asked).toEqual({ prices: unpriced, unpricedTier: tier })
    expect(noPriceWords(asked).fault).toBe(`has no price in the service tier ${tier}`)
  },
)

test('a tier that is not sent changes nothing', () => {
  const asked = { serviceTier: 'priority' }
  const refuses = modelTarget({ unsupportedParameters: ['serviceTier'] })
  expect(pricesFor(refuses, asked)).toEqual({ prices })
  expect(pricesFor(modelTarget({ wire: 'ollama' }), asked)).toEqual({ prices })
  expect(noPriceWords(target).fault).toBe('has no price')
})
