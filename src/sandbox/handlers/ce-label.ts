import type { Handlers } from '../handler.ts'

/** The CE mark in a frame: a PNG of 240 by 160 pixels in four shades of gray. */
const label = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAPAAAACgAgAAAABdAKYYAAAB/klEQVR42u2aMU7DQBBF1yBEkSI9FByBI8RHoEnFYeIj5BxuOIIt5QJ7',
    'BBfQp0jhIGyj3QgkZnc+jj8okbIuv+Ypm/XM7sxPzEA85iLh2kx8rll4M3XRmwQnOMEJTvAZwe9l+YIFHX5zd8IzEnT49XCjAEGH90bE',
    'BgKA1zJ2PR5ujYgNBAAXMrYYD39/jtEEAFsZa8fDvRGxgQDgVsa2R8BWxtojYCNjzXj44xCWLZe5iQsA3vrQm2oY+qe4AGDfl2WV3+a4',
    'AGD/OfdI0GH/DTMkAHjnYh+QAODGxVZIALAroFsoADhYpLbqCNzJRXbaqiOwK4IrKADYpdMMCgB2e/sIBQC7XFxBAcCFzKYinl5R2A8e',
    'UNDhXm5Pr+5XCHcyIzotRSKwe6sLKAB4J/d2p252CG/FIRcKAG7ki2nUNxXCViay1TI7AteydmulmBV4NkABwIUx8wEKAM5lSuRqjvwx',
    'HBSvWs1xeCHhu/LrwR1gL+H+h0sw/xVeJTjB/wpPTk+qMLiSPN1JQh2A1NFLHfrUdUNddNQVS13uVFtBNTRUK0U1cVz7SDWuVMtMNevU',
    'mEANKNRoxA1l1DhIDaLUCEwN39zYTxkOlNVBmSycvUMZS5SlRZlpnI1HGYicdUmZppxdSxnFnEXNmePpp4gEJzjBCT5X+HT/oSGeS4Q/',
    'AQbtw0I4VP9cAAAAAElFTkSuQmCC',
  ].join(''),
  'base64',
)

export const ceLabel: Handlers['ceLabel'] = () => ({ status: 200, body: label })
