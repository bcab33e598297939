Feature: Errors

  Scenario Outline: a name that is not bound
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

    Examples:
      | query                                    |
      | RETURN x                                 |
      | MATCH (n) WITH n AS m RETURN n           |
      | UNWIND [1] AS x WITH x AS y RETURN x + y |

  Scenario Outline: a clause that is not available
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: UnexpectedSyntax

    Examples:
      | query                                |
      | MATCH p = (a)-->(b) RETURN p         |
      | RETURN [x IN [1, 2] WHERE x > 1] AS l |

  Scenario Outline: a name has one kind
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: VariableTypeConflict

    Examples:
      | query                                            |
      | MATCH (x)-[x]->() RETURN x                       |
      | MATCH ()-[x]->() MATCH (x) RETURN x              |
      | MATCH (x) OPTIONAL MATCH ()-[x]-() RETURN x      |
      | WITH 'text' AS x MATCH (x) RETURN x              |
      | WITH [1, 2] AS x MATCH ()-[x]-() RETURN x        |
      | MATCH (n) WITH [n, n] AS x MATCH (x) RETURN x    |
      | MATCH (n) WITH collect(n) AS x MATCH (x) RETURN x |
      | MATCH ()-[x]->(), ()-[x]->() RETURN x            |

  Scenario Outline: an operand or an argument of another type
    Given any graph
    When executing query:
      """
      RETURN <expression> AS x
      """
    Then a SyntaxError should be raised at compile time: InvalidArgumentType

    Examples:
      | expression          |
      | NOT 1               |
      | true AND 0.5        |
      | 1 OR false          |
      | null XOR 7          |
      | CASE WHEN 1 THEN 2 END |
      | range(0, 3.0)       |
      | range('a', 'b')     |
      | 2 IN 3              |
      | substring('a', 0.5) |
      | sqrt(false)         |
      | count(rand())       |

  Scenario Outline: rows that cannot be counted
    Given any graph
    When executing query:
      """
      UNWIND [1, 2] AS x RETURN x <cut>
      """
    Then a SyntaxError should be raised at compile time: InvalidArgumentType

    Examples:
      | cut        |
      | SKIP -1    |
      | LIMIT -2   |
      | LIMIT 0.5  |
      | SKIP true  |
      | LIMIT 'a'  |
      | LIMIT x    |

  Scenario Outline: columns that do not fit
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: DifferentColumnsInUnion

    Examples:
      | query                                                   |
      | RETURN 1 AS a UNION RETURN 1 AS b                       |
      | RETURN 1 AS a UNION RETURN 1 AS a, 2 AS b               |
      | RETURN 1 AS a UNION RETURN 2 AS a UNION ALL RETURN 3 AS a |
      | MATCH () RETURN *                                       |
      | MATCH (n) RETURN labels(n) AS l ORDER BY count(n)       |

  Scenario Outline: CREATE of what exists
    Given an empty graph
    And having executed:
      """
      CREATE (:A {x: 1})-[:T]->(:A {x: 2})
      """
    When executing query:
      """
      MATCH (a:A)-[t:T]->(b) CREATE <pattern>
      """
    Then a SyntaxError should be raised at compile time: VariableAlreadyBound

    Examples:
      | pattern                |
      | (a)                    |
      | (a:A)-[:T]->(b)        |
      | (a)-[:T]->(b {x: 3})   |
      | (a)-[t:T]->(b)         |
      | ()-[a:T]->(b)          |

  Scenario Outline: a number that no type holds
    Given any graph
    When executing query:
      """
      RETURN <number> AS x
      """
    Then a SyntaxError should be raised at compile time: IntegerOverflow

    Examples:
      | number                |
      | 9223372036854775808   |
      | -9223372036854775809  |
      | 1.5e400               |
      | -2e999                |
