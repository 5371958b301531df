'use server'
import { searchEndpointVerbs } from '@toolgate/server/domains/search-endpoints/verbs'
import { action } from '@/lib/next/action'
import { testSearchEndpoint } from '@toolgate/server/probes/test-search-endpoint'

export const addSearchEndpoint = action(searchEndpointVerbs.create)
export const changeSearchEndpoint = action(searchEndpointVerbs.update)
export const removeSearchEndpoint = action(searchEndpointVerbs.remove)
export const sendTestQuery = action(testSearchEndpoint)
