/** The letter Q as a graph: a vertex in its ring, and an edge that leaves it. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="var(--q-accent)"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="10.5" cy="10.5" r="7.2" />
      <path d="M11.5 11.5 21 21M21 15.2V21h-5.8" />
      <circle cx="10.5" cy="10.5" r="1.6" fill="var(--q-accent)" stroke="none" />
    </svg>
  )
}
