"""The formulas that four real documents about attention are written with."""

from __future__ import annotations

from typing import Final

INLINE: Final = (
    r"q \in \mathbb{R}^d",
    r"K \in \mathbb{R}^{n \times d}",
    r"k_i^\top",
    r"V \in \mathbb{R}^{n \times d_v}",
    r"x",
    r"q = xW^Q",
    r"k = xW^K",
    r"v = xW^V",
    r"Q\in\mathbb{R}^{m\times d}",
    r"\tfrac{1}{\sqrt d}",
    r"q,k_i\sim\mathcal N(0,I)",
    r"\langle q,k_i\rangle",
    r"d",
    r"\mathbb{E}[q_n]=\mathbb{E}[k_{in}]=0",
    r"q",
    r"k",
    r"\mathbb{E}[q_n^2]=\mathbb{E}[k_{in}^2]=1",
    r"\sqrt d",
    r"h",
    r"d_h = d/h",
    r"QW_i^Q",
    r"KW_i^K",
    r"VW_i^V",
    r"W^O",
    r"M",
    r"-\infty",
    r"n",
    r"O(n^2 d)",
    r"O(n^2)",
    r"\phi(\cdot)",
    r"\kappa(q,k)\approx \phi(q)^\top\phi(k)",
    r"O(n d^2)",
    r"O(n d)",
    r"K,V",
    r"1/\sqrt{d_k}",
    r"[0, 0, 1, 0]",
    r"\sqrt{d_k}",
    r"O(N^2)",
    r"d_{model} = 4",
    r"d_k = \sqrt{2} \approx 1.414",
    r"Q \cdot K",
    r"Q",
    r"W_q",
    r"K",
    r"W_k",
    r"V",
    r"W_v",
    r"q_i \cdot k_j",
    r"\text{softmax}\left( \frac{q_i \cdot k_j}{\sqrt{d_k}} \right)",
    r"d_k",
    r"\text{Attention}(Q, K, V) = \text{softmax}\left( \frac{QK^T}{\sqrt{d_k}} \right) V",
    r"d_{model} \times d_{k}",
)

DISPLAY: Final = (
    r"s_i=\frac{\langle q,k_i\rangle}{\sqrt{d}}",
    r"p_i=\mathrm{softmax}(s)_i=\frac{e^{s_i}}{\sum_j e^{s_j}}",
    r"\mathrm{Attn}(q,K,V)=\sum_{i=1}^n p_i\, v_i",
    r"""\mathrm{Attn}(Q,K,V)=\mathrm{softmax}\!\Big(\frac{QK^\top}{\sqrt d}\Big) V
    \quad\text{(row-wise softmax).}""",
    r"""\begin{aligned} Var(\langle q,k_i\rangle) &= E\left[(\langle q,k_i\rangle-0)^2\right]
    = E\left[\left( \sum_{n=1}^d q_n \cdot k_{in}\right)^2\right] \\
    &= E\left[\sum_{n=1}^d q_n^2 k_{in}^2
    \;+\; 2\sum_{1\le n<m\le d} q_n k_{in}\, q_m k_{im}\right] \\
    &= \sum_{n=1}^d E\left[ q_n^2\right] E\left[k_{in}^2\right] \\
    &=d \end{aligned}""",
    r"\mathrm{softmax}\!\Big(\frac{QK^\top}{\sqrt d} + M\Big)V.",
    r"(\phi(Q)\,(\phi(K)^\top V))",
    r"\text{Attention (Q , K , V)} = \text{softmax} \frac{QK^T}{\sqrt{d_k}} V",
    r"""\mathbf{X} = \begin{matrix} 1.0 & 0.5 & 0.2 & 0.1 \\
    0.9 & 1.1 & 0.1 & 0.0 \\
    0.1 & 0.2 & 1.0 & 0.5 \\
    0.0 & 0.1 & 0.4 & 1.2 \end{matrix}""",
    r"d_{\text{model}} = 4",
    r"h = 2",
    r"d_k = 2",
    r"""\mathbf{Q} = \mathbf{X} \cdot \mathbf{W}_Q \quad | \quad
    \mathbf{K} = \mathbf{X} \cdot \mathbf{W}_K \quad | \quad
    \mathbf{V} = \mathbf{X} \cdot \mathbf{W}_V""",
    r"\text{Score} = Q \cdot K^T",
    r"O_I = \sum_j \alpha_{Ij} \cdot V_j",
    r"0.28(V_I) + 0.27(V_{\text{love}}) + 0.19(V_{\text{apple}}) + 0.27(V_{\text{phones}})",
)
